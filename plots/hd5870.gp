# SPDX-License-Identifier: MIT
# Top: the copy of Fig 4, and time against workgroups by the GPU's atomics and by the coordinator. Below: speed-ups, simulated and
# published. Each curve is the best of 64, 128 and 256 work-items a workgroup but the copy's and the micro-benchmarks', of 256.
load 'style.gp'
name = 'hd5870'
eval 'set terminal '.svg.' size 1380,760'
set output name.'.svg'
# Rows of one curve, the best of the sizes in `sizes`; time of l2 over that of the coordinator; what the paper states of it.
best(application, sizes) = sprintf("awk -F, 'NR > 1 && $1 == \"%s\" && $3 ~ /^(%s)$/ { if (!(($2, $4) in t)) { t[$2, $4] = $6; if ($4 == \"coordinator\") at[++n] = $2 } else if ($6 < t[$2, $4]) t[$2, $4] = $6 } END ", application, sizes)
micros(application, mechanism, sizes) = '< '.best(application, sizes).sprintf("{ for (i = 1; i <= n; i++) print at[i] \",\" t[at[i], \"%s\"] }' %s.csv", mechanism, name)
speedup(application, sizes) = '< '.best(application, sizes).sprintf("{ for (i = 1; i <= n; i++) print at[i] \",\" t[at[i], \"l2\"] / t[at[i], \"coordinator\"] }' %s.csv", name)
growth(threads) = sprintf("< awk -F, '$3 == %d && /^copy-/ { t[$1, $2] = $6 } END { for (g = 8; g <= 256; g *= 2) print g \",\" (t[\"copy-both\", g] - t[\"copy-atomic\", g]) / t[\"copy-copy\", g] }' %s.csv", threads, name)
published(application) = sprintf("< awk -F, '$1 ~ /^%s-[0-9]+$/ && ($6 == \"speedup\" || $6 == \"memory_time_ratio\") { split($1, id, \"-\"); print id[length(id)] \",\" $7 }' ../measurements/hd5870/published.csv", application)
all = '64|128|256'
set multiplot layout 2,4 title 'Radeon HD 5870 (after Elteir, Lin, Feng): atomics of the GPU, and of a coordinator in software'
set logscale x 2
set logscale y
set xlabel 'workgroups'
set ylabel 'time with atomics over without'
set yrange [1:1000]
set title 'Fig 4: memory time with atomics'
plot for [threads in '64 128 256'] growth(threads + 0) using 1:2 with linespoints linestyle (threads / 128 + 1) title threads.' work-items a group', \
	published('copy-growth') using 1:2 with points linestyle 5 pointsize 1.2 title 'published'
set ylabel 'us'
set yrange [0.2:5000]
# The same on an H200, measured by us and simulated.
h200(application) = sprintf("< awk -F, '$1 == \"%s\"' hd5870-h200.csv", application)
do for [application in 'micro1 micro2 scalar'] {
	sizes = application eq 'scalar' ? all : '256'
	set title application
	plot micros(application, 'l2', sizes) using 1:2 with linespoints linestyle 1 title 'the GPU''s', \
		micros(application, 'coordinator', sizes) using 1:2 with linespoints linestyle 2 title 'coordinator', \
		h200(application) using 2:3 with points linestyle 3 pointsize 1.2 title 'H200, measured by us', \
		h200(application) using 2:4 with lines linestyle 3 title 'H200, simulated'
}
set ylabel 'speed-up'
set yrange [0.2:100]
set title 'Fig 8, 12: micro1, scalar'
plot speedup('micro1', '256') using 1:2 with linespoints linestyle 1 title 'micro1', \
	published('micro1') using 1:2 with points linestyle 1 pointsize 1.2 title 'published', \
	speedup('scalar', all) using 1:2 with linespoints linestyle 2 title 'scalar', \
	published('scalar') using 1:2 with points linestyle 2 pointsize 1.2 title 'published'
set title 'Fig 9: micro2'
plot speedup('micro2', '256') using 1:2 with linespoints linestyle 1 title 'simulated'
set xlabel 'rows'
set title 'Fig 10: matrix multiply'
plot speedup('matmul', all) using 1:2 with linespoints linestyle 1 title 'simulated', \
	published('matmul') using 1:2 with points linestyle 2 pointsize 1.2 title 'published'
set xlabel 'points'
set title 'Fig 11: k-means, map phase'
plot speedup('kmeans', all) using 1:2 with linespoints linestyle 1 title 'simulated', \
	published('kmeans') using 1:2 with points linestyle 2 pointsize 1.2 title 'published'
unset multiplot

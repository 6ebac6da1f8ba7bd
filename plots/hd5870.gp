# SPDX-License-Identifier: MIT
# Top: time against workgroups, by the GPU's atomics and by the coordinator. Below: speed-ups, simulated and published.
load 'style.gp'
name = 'hd5870'
eval 'set terminal '.svg.' size 1080,760'
set output name.'.svg'
# Rows of one curve; time of l2 over that of the coordinator; what the paper states of it.
micros(application, mechanism) = rows(sprintf('$1 == "%s" && $3 == "%s"', application, mechanism))
speedup(application) = sprintf("< awk -F, 'NR > 1 && $1 == \"%s\" { if ($3 == \"l2\") t[$2] = $4; else print $2 \",\" t[$2] / $4 }' %s.csv", application, name)
published(application) = sprintf("< awk -F, '$1 ~ /^%s-[0-9]+$/ && $6 == \"speedup\" { split($1, id, \"-\"); print id[2] \",\" $7 }' ../measurements/hd5870/published.csv", application)
set multiplot layout 2,3 title 'Radeon HD 5870 (after Elteir, Lin, Feng): atomics of the GPU, and of a coordinator in software'
set logscale x 2
set logscale y
set xlabel 'workgroups'
set ylabel 'us'
set yrange [0.2:100]
# The same on an H200, measured by us and simulated.
h200(application) = sprintf("< awk -F, '$1 == \"%s\"' hd5870-h200.csv", application)
do for [application in 'micro1 micro2 scalar'] {
	set title application
	plot micros(application, 'l2') using 2:5 with linespoints linestyle 1 title 'the GPU''s', \
		micros(application, 'coordinator') using 2:5 with linespoints linestyle 2 title 'coordinator', \
		h200(application) using 2:3 with points linestyle 3 pointsize 1.2 title 'H200, measured by us', \
		h200(application) using 2:4 with lines linestyle 3 title 'H200, simulated'
}
set ylabel 'speed-up'
set yrange [0.2:100]
set title 'micro1, scalar'
plot speedup('micro1') using 1:2 with linespoints linestyle 1 title 'micro1', \
	published('micro1') using 1:2 with points linestyle 1 pointsize 1.2 title 'published', \
	speedup('scalar') using 1:2 with linespoints linestyle 2 title 'scalar', \
	published('scalar') using 1:2 with points linestyle 2 pointsize 1.2 title 'published'
set xlabel 'rows'
set title 'matrix multiply'
plot speedup('matmul') using 1:2 with linespoints linestyle 1 title 'simulated', \
	published('matmul') using 1:2 with points linestyle 2 pointsize 1.2 title 'published'
set xlabel 'points'
set title 'k-means, map phase'
plot speedup('kmeans') using 1:2 with linespoints linestyle 1 title 'simulated', \
	published('kmeans') using 1:2 with points linestyle 2 pointsize 1.2 title 'published'
unset multiplot

# SPDX-License-Identifier: MIT
name = 'designs'
load 'style.gp'
eval 'set terminal '.svg.' size 900,600'
set output name.'.svg'
set title 'Designs of atomics: time and hardware'
set xlabel 'cost of the hardware, in bits'
set ylabel "time over that of Fermi or of an H200"
set logscale xy
set ytics (0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2)
set xtics ('10 k' 1e4, '100 k' 1e5, '1 M' 1e6, '10 M' 1e7, '100 M' 1e8)
set yrange [0.025:2.2]
set xrange [4000:400000000]
set key bottom left
# cost,time over the base's of each trace that some design of it changes
each(base) = "< awk -F, '$NF == \"".base."\" { time[$1 FS $2] = $3; cost[$2] = $7; traces[$1] } END { for (t in traces) for (d in cost) if (time[t FS d] != time[t FS \"".base."\"]) changed[t]; for (t in changed) for (d in cost) print cost[d] FS time[t FS d] / time[t FS \"".base."\"] FS d FS t }' designs.csv | sort"
mean(base) = each(base)." | awk -F, -v OFS=, '{ cost[$3] = $1; sum[$3] += log($2); n[$3]++ } END { for (d in n) print cost[d], exp(sum[d] / n[d]), d }' | sort -t, -k1n -k2n"
front(base) = mean(base)." | awk -F, 'NR == 1 || $2 < least { print; least = $2 }'"
plot each('fermi') using 1:2 with points pointtype 6 pointsize 0.4 linecolor '#999999' title 'a trace', \
	each('h200') using 1:2 with points pointtype 6 pointsize 0.4 linecolor '#999999' notitle, \
	front('fermi') using 1:2 with lines linestyle 1 title 'front of the means, Fermi', \
	front('h200') using 1:2 with lines linestyle 3 title 'front of the means, H200', \
	mean('fermi') using 1:2 with points linestyle 2 title 'geometric mean', \
	mean('h200') using 1:2 with points linestyle 2 notitle, \
	mean('fermi') using (int($0) % 2 ? NaN : $1):2:3 with labels font ',11' offset 0,-0.9 notitle, \
	mean('fermi') using (int($0) % 2 ? $1 : NaN):2:3 with labels font ',11' offset 0,0.9 notitle, \
	mean('h200') using (int($0) % 2 ? NaN : $1):2:3 with labels font ',11' offset 0,-0.9 notitle, \
	mean('h200') using (int($0) % 2 ? $1 : NaN):2:3 with labels font ',11' offset 0,0.9 notitle

# SPDX-License-Identifier: MIT
name = 'designs'
load 'style.gp'
eval 'set terminal '.svg.' size 800,480'
set output name.'.svg'
set title 'Designs of atomics: time and hardware'
set xlabel 'cost of the hardware, in bits'
set ylabel "time over Fermi's"
set logscale xy
set ytics (0.4, 0.5, 0.6, 0.8, 1, 1.25, 1.6, 2)
set xtics ('5 k' 5e3, '10 k' 1e4, '20 k' 2e4, '50 k' 5e4, '100 k' 1e5, '200 k' 2e5, '500 k' 5e5, '1 M' 1e6, '2 M' 2e6)
set yrange [0.4:2.2]
set xrange [4000:2000000]
set key top right
# cost,time over Fermi's of each trace that some design changes
each = "< awk -F, 'NR > 1 { time[$1 FS $2] = $3; cost[$2] = $7; traces[$1] } END { for (t in traces) for (d in cost) if (time[t FS d] != time[t FS \"fermi\"]) changed[t]; for (t in changed) for (d in cost) print cost[d] FS time[t FS d] / time[t FS \"fermi\"] FS d FS t }' designs.csv | sort"
mean = each." | awk -F, -v OFS=, '{ cost[$3] = $1; sum[$3] += log($2); n[$3]++ } END { for (d in n) print cost[d], exp(sum[d] / n[d]), d }' | sort -t, -k1n -k2n"
front = mean." | awk -F, 'NR == 1 || $2 < least { print; least = $2 }'"
plot each using 1:2 with points pointtype 6 pointsize 0.4 linecolor '#bbbbbb' title 'a trace', \
	front using 1:2 with lines linestyle 1 title 'front of the means', \
	mean using 1:2 with points linestyle 2 title 'geometric mean', \
	mean using ($0 == 0 ? $1 : NaN):2:3 with labels offset 0,-0.8 notitle, \
	mean using ($0 > 0 ? $1 : NaN):2:3 with labels offset 0,0.8 notitle

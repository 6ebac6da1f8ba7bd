# SPDX-License-Identifier: MIT
name = 'plane'
load 'style.gp'
eval 'set terminal '.svg.' size 1160,760'
set output name.'.svg'
set multiplot layout 2,2 title 'How t_base is split, and what moves with it'
set xlabel 'lk_cycles'
set key top left title 'operation_cycles'
set yrange [0:1.2]
operations = '4 10 18 22 28'
# Rows of a claim for one length of the operation.
data(claim, operation) = rows(sprintf('$3 == "%s" && $2 == "%s"', claim, operation))
set title '16 colliding warps against 16 lanes (paper: far less)'
plot for [i = 1:words(operations)] data('colliding warps cost far less than lanes', word(operations, i)) \
	using 1:4 with linespoints linestyle i title word(operations, i), 0.5 with lines dashtype 2 linecolor 'grey' notitle
set key off
set yrange [0:*]
set title 'Histogram: gain of block mapping (paper: little)'
plot for [i = 1:words(operations)] data('histogram: block mapping gains little', word(operations, i)) \
	using 1:4 with linespoints linestyle i title word(operations, i), 1.5 with lines dashtype 2 linecolor 'grey' notitle
set title "k-means, 256 clusters: % that the paper's R is slower"
plot for [i = 1:words(operations)] data('k-means: best R with 2 components of 256 clusters', word(operations, i)) \
	using 1:4 with linespoints linestyle i title word(operations, i), 2 with lines dashtype 2 linecolor 'grey' notitle
set title 'Claims that hold, of 13'
set yrange [0:13]
held(operation) = sprintf("< awk -F, 'NR > 1 && $2 == %s && $3 != \"chosen\" { n[$1] += $5 } END { for (lk in n) print lk \",\" n[lk] }' plane.csv | sort -n", operation)
plot for [i = 1:words(operations)] held(word(operations, i)) using 1:2 with linespoints linestyle i title word(operations, i)
unset multiplot

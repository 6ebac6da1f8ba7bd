# SPDX-License-Identifier: MIT
name = 'gains'
load 'style.gp'
eval 'set terminal '.svg.' size 480,630'
set output '../docs/images/gains.svg'
# Median and greatest error, as measurements/what-if.sh prints them.
summary = system("awk -F, 'NR > 1 { e = $5 / $4 - 1; print e < 0 ? -e : e }' gains.csv | sort -g | ". \
	"awk '{ e[NR] = $1 } END { printf \"%d variants: median error %.1f %%, worst %.0f %%\", ". \
	"NR, 50 * (e[int((NR + 1) / 2)] + e[int(NR / 2) + 1]), 100 * e[NR] }'")
set title "What a code change gains on an H200\n".summary
set xlabel 'measured speedup'
set ylabel 'predicted speedup, from the trace of the unchanged kernel'
set logscale xy
set xrange [0.4:8]
set yrange [0.4:8]
set xtics ('0.5x' 0.5, '1x' 1, '2x' 2, '3x' 3, '5x' 5)
set ytics ('0.5x' 0.5, '1x' 1, '2x' 2, '3x' 3, '5x' 5)
set grid x y linecolor '#dddddd'
set size ratio 1
set key outside bottom center horizontal Left reverse samplen 1 maxcols 2
kind(condition) = rows('$1 ~ /^('.condition.')/')
plot x linestyle 9 title 'exact', \
	kind('weighted') using 4:5 with points linestyle 2 pointsize 0.6 title 'float histogram', \
	kind('histogram') using 4:5 with points linestyle 1 pointsize 0.6 title 'integer histogram', \
	kind('kmeans') using 4:5 with points linestyle 3 pointsize 0.7 title 'k-means', \
	kind('aggregation|reduction|scan|transpose') using 4:5 with points linestyle 5 pointsize 0.7 \
		title 'transpose, scan, reduction, aggregation'

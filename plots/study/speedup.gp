# SPDX-License-Identifier: MIT
# Of histogram.csv and warp.csv: how much faster both hashes make it, at the same number of copies.
load '../style.gp'
eval 'set terminal '.svg.' size 1000,420'
set output 'speedup.svg'
set multiplot layout 1,2 title 'Histogram without padding: speed-up by hashing banks and locks (ipoly)'
set xlabel 'R copies of the bins, cyclic'
set ylabel 'times as fast as mod'
set logscale x 2
set xrange [0.8:40]
set yrange [0:6.5]
set palette defined (0 '#ccbb44', 0.5 '#4477aa', 1 '#aa3377')
unset colorbox
# Rows without a hash come first in the file.
speedup(file, bins) = sprintf("< awk -F, '{ k = $4 } $3 == %s && $5 == 0 && $1 == \"none\" { b[k] = $6 } $3 == %s && $5 == 0 && $1 == \"both\" && $2 == \"ipoly\" { print $4 \",\" b[k] / $6 }' %s.csv", bins, bins, file)
bins = '32 64 128 256 512 1024 2048 4096'
do for [file in 'histogram warp'] {
	set title file eq 'warp' ? 'one warp alone' : 'whole kernel, 16 SMs'
	plot for [i = 1:8] speedup(file, word(bins, i)) using 1:2 with linespoints linewidth 2 \
			pointtype 7 pointsize 0.5 linecolor palette frac (i - 1) / 7. title word(bins, i).' bins', \
		4.9 linestyle 9 title 'published: up to 4.9'
}
unset multiplot

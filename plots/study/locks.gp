# SPDX-License-Identifier: MIT
name = 'locks'
load '../style.gp'
eval 'set terminal '.svg.' size 1000,720'
set output name.'.svg'
set multiplot layout 2,2 title 'How many lock bits, with which hash? Banks: full lines mod, dashed ipoly'
set xlabel 'lock bits'
set ylabel 'thousand cycles'
set logscale xy
set logscale x 2
set xrange [24:12000]
set key top right
data(bins, r, lock, bank) = rows(sprintf('$4 == %s && $5 == %s && $2 == "%s" && $3 == "%s"', bins, r, lock, bank))
hashes = 'mod xor ipoly'
do for [size in '256x1 256x32 1024x8 4096x2'] {
	bins = substr(size, 1, strstrt(size, 'x') - 1)
	r = substr(size, strstrt(size, 'x') + 1, strlen(size))
	set title bins.' bins, R = '.r
	plot for [i = 1:3] data(bins, r, word(hashes, i), 'mod') using 1:($6 / 1000) with linespoints linestyle i title word(hashes, i), \
		for [i = 1:3] data(bins, r, word(hashes, i), 'ipoly') using 1:($6 / 1000) with linespoints linestyle i dashtype 2 notitle
}
unset multiplot

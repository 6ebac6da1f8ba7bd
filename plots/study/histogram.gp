# SPDX-License-Identifier: MIT
name = 'histogram'
load '../style.gp'
eval 'set terminal '.svg.' size 1280,760'
set output name.'.svg'
set multiplot layout 2,4 title 'Histogram of a photograph, 16 SMs: hashing (ipoly) against replication and padding'
set xlabel 'R copies of the bins, cyclic'
set ylabel 'thousand cycles'
set logscale xy
set logscale x 2
set xrange [0.8:40]
set yrange [20:400]
set key top right
do for [bins in '32 64 128 256 512 1024 2048 4096'] {
	data(where, hash, padding) = rows(sprintf('$1 == "%s" && $2 == "%s" && $3 == %s && $5 == %d', where, hash, bins, padding))
	set title bins.' bins'
	plot data('none', 'mod', 0) using 4:($6 / 1000) with linespoints linestyle 1 title 'mod', \
		data('none', 'mod', 1) using 4:($6 / 1000) with linespoints linestyle 4 title 'mod, padded', \
		data('banks', 'ipoly', 0) using 4:($6 / 1000) with linespoints linestyle 3 title 'banks hashed', \
		data('locks', 'ipoly', 0) using 4:($6 / 1000) with linespoints linestyle 5 title 'locks hashed', \
		data('both', 'ipoly', 0) using 4:($6 / 1000) with linespoints linestyle 2 title 'both'
}
unset multiplot

# SPDX-License-Identifier: MIT
name = 'histogram'
load 'style.gp'
eval 'set terminal '.svg.' size 1280,760'
set output name.'.svg'
set multiplot layout 2,4 title 'Histogram of a photograph, 12 bits a pixel (after Fig 9)'
set xlabel 'R copies of the bins'
set ylabel 'ms'
set logscale xy
set logscale x 2
set xrange [0.8:320]
set yrange [0.015:0.3]
set ytics (0.02, 0.03, 0.05, 0.1, 0.2)
set key top right
do for [bins in '32 64 128 256 512 1024 2048 4096'] {
	data(padding, mapping) = rows(sprintf('$1 == %s && $2 == %d && $3 == "%s"', bins, padding, mapping))
	set title bins.' bins'
	set arrow 1 from 1024. / bins, graph 0 to 1024. / bins, graph 0.6 nohead linestyle 9
	if (1024. / bins < 0.8) { unset arrow 1 }
	plot data(0, 'cyclic') using 4:($6 / 1000) with linespoints linestyle 1 title 'cyclic', \
		data(0, 'block') using 4:($6 / 1000) with linespoints linestyle 2 title 'block', \
		data(1, 'cyclic') using 4:($6 / 1000) with linespoints linestyle 3 title 'cyclic, padded', \
		data(1, 'block') using 4:($6 / 1000) with linespoints linestyle 4 title 'block, padded'
}
unset multiplot

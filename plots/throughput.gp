# SPDX-License-Identifier: MIT
name = 'throughput'
load 'style.gp'
eval 'set terminal '.svg.' size 640,420'
set output name.'.svg'
set title 'Throughput of one warp: halves when the conflict degree doubles'
set xlabel 'lanes on one word'
set ylabel 'lane operations in 1,000 cycles'
set logscale xy 2
set xrange [0.9:36]
set key top right
plot rows('1') using 1:3 with linespoints linestyle 1 title 'simulated', \
	296.3 / x linestyle 9 title 'half for each doubling'

# SPDX-License-Identifier: MIT
name = 'one-warp'
load 'style.gp'
eval 'set terminal '.svg.' size 960,420'
set output name.'.svg'
set multiplot layout 1,2
set xlabel 'lanes that collide'
set ylabel 'cycles of one warp'
set xrange [0:33]
set yrange [0:*]
set title 'Position conflicts (after Fig 2)'
plot rows('$1 == "atomic" && $2 == 0') using 3:4 with points linestyle 1 title 'atomics on one word, simulated', \
	108 + (x - 1) * 120 linestyle 9 title '108 + (n - 1) * 120, measured'
set title 'Strides (after Fig 3)'
plot rows('$1 == "atomic" && $2 == 256') using 3:4 with linespoints linestyle 2 title 'atomics 256 words apart', \
	rows('$1 == "atomic" && $2 == 32') using 3:4 with linespoints linestyle 1 title 'atomics 32 words apart', \
	rows('$1 == "load" && $2 == 32') using 3:4 with linespoints linestyle 3 title 'loads 32 words apart'
unset multiplot

# SPDX-License-Identifier: MIT
name = 'inter-warp'
load 'style.gp'
eval 'set terminal '.svg.' size 960,420'
set output name.'.svg'
set multiplot layout 1,2 title '16 warps of one SM, 64 atomics each'
set ylabel 'lane operations in 1,000 cycles'
set key bottom left
set yrange [0:600]
set xlabel 'lanes of each warp that collide with the other warps'
set title 'Colliding lanes do not matter'
plot rows('$1 == "lanes"') using 3:5 with linespoints linestyle 1 title '16 colliding warps'
set yrange [100:8000]
set logscale y
set ytics (100, 200, 500, 1000, 2000, 5000)
set xlabel 'warps, or lanes, that collide'
set title 'Colliding warps do, less than lanes of a warp'
plot rows('$1 == "warps"') using 2:5 with linespoints linestyle 1 title 'n warps share 32 words', \
	rows('$1 == "intra"') using 2:5 with linespoints linestyle 2 title 'n lanes of each warp share a word'
unset multiplot

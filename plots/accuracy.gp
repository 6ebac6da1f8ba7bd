# SPDX-License-Identifier: MIT
name = 'accuracy'
load 'style.gp'
eval 'set terminal '.svg.' size 640,600'
set output '../docs/images/accuracy.svg'
number = system("awk -F, 'NR > 1 && $1 !~ /^(gain|older-programs)$/' accuracy.csv | wc -l") + 0
set title sprintf('Predicted against measured cycles, NVIDIA H200: %d held-out points', number)
set grid x y linecolor '#dddddd'
set logscale xy
class(x) = sprintf("< awk -F, '$1 ~ /^(%s)$/' accuracy.csv", x)
set size ratio 1
set xlabel 'measured, cycles'
set ylabel 'predicted, cycles'
set format '%.0s %c'
set xrange [100:1e7]
set yrange [100:1e7]
plot x with lines linestyle 9 notitle, 1.25 * x with lines linestyle 9 linecolor '#bbbbbb' notitle, \
	x / 1.25 with lines linestyle 9 linecolor '#bbbbbb' title '25 % off', \
	class('global-atomics') using 3:4 with points pointtype 7 pointsize 0.2 linecolor '#bbccdd' title 'atomics on global memory', \
	class('global-loads') using 3:4 with points pointtype 7 pointsize 0.2 linecolor '#ccbb44' title 'loads from global memory', \
	class('programs') using 3:4 with points pointtype 7 pointsize 0.4 linecolor '#cc6677' title 'third-party programs', \
	class('generated') using 3:4 with points pointtype 5 pointsize 0.35 linecolor '#999933' title 'traces of generators', \
	class('(shared|global)-locks') using 3:4 with points pointtype 9 pointsize 0.4 linecolor '#aa3377' title 'spin locks', \
	class('launches') using 3:4 with points pointtype 7 pointsize 0.4 linecolor '#228833' title 'PyTorch, CUB, Thrust', \
	class('kernels') using 3:4 with points pointtype 7 pointsize 0.5 linecolor '#4477aa' title 'kernels on one SM'

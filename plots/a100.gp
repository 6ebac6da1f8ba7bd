# SPDX-License-Identifier: MIT
name = 'a100'
load 'style.gp'
eval 'set terminal '.svg.' size 760,460'
set output name.'.svg'
set title '2^20 adds to m words in global memory, a launch'
set xlabel 'm words'
set ylabel 'ms'
set logscale xy
set format x '%.0s%c' # 100k
set xrange [0.7:2e6]
set yrange [0.001:6]
set key top right
# The m of a figure's name, and a column of its row.
data(gpu, column) = sprintf("< awk -F, '$1 == \"%s\" && $2 ~ /^(atomics|h200)-[0-9]+(-time)?$/ { m = $2; gsub(/[^0-9-]/, \"\", m); gsub(/^-|-$|^200-/, \"\", m); print m \",\" $%d }' a100.csv", gpu, column)
plot data('a100', 4) using 1:2 with points pointtype 7 pointsize 1 linecolor '#4477aa' title 'A100, published', \
	data('a100', 5) using 1:2 with lines linestyle 1 title 'A100, simulated', \
	data('a100-article', 5) using 1:2 with lines linestyle 3 title 'A100, two constants fitted to the first and last', \
	data('h200', 4) using 1:2 with points pointtype 5 pointsize 1 linecolor '#cc6677' title 'H200, measured by us', \
	data('h200', 5) using 1:2 with lines linestyle 2 title 'H200, simulated (without the time between kernels)'

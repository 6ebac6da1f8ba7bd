# SPDX-License-Identifier: MIT
name = 'sensitivity'
load 'style.gp'
eval 'set terminal '.svg.' size 1160,1300'
set output name.'.svg'
set multiplot layout 4,3 title 'What is not known, over its plausible range'
set ylabel '1,000 cycles'
set logscale x 2
keys = 'atomic.lock_bits.lk_cycles atomic.lock_bits.hold_cycles atomic.lock_bits.winner sm.scheduler'
values = "'20 28 36 52 68 80' '0 8 16 32 64' 'lowest highest rotate random' 'lrr gto two-level'"
experiments = 'kmeans histogram warps'
xlabels = "'copies, k-means with 256 clusters' 'copies, histogram with 256 bins' 'colliding warps of 16'"
do for [k = 1:4] {
	key_name = word(keys, k)
	do for [e = 1:3] {
		set title key_name
		set xlabel word(xlabels, e)
		set yrange [0:*]
		if (e == 3) { set key top left } else { set key bottom right }
		data(value) = rows(sprintf('$1 == "%s" && $2 == "%s" && $3 == "%s"', key_name, value, word(experiments, e)))
		plot for [i = 1:words(word(values, k))] data(word(word(values, k), i)) using 4:($5 / 1000) \
			with linespoints linestyle i title word(word(values, k), i)
	}
}
unset multiplot

# SPDX-License-Identifier: MIT
# Two figures: random and sorted words. Latency in columns, one for each R within each V; degrees as points.
name = 'patterns'
load 'style.gp'
set style data histograms
set style histogram rowstacked
set style fill solid 0.8 noborder
set boxwidth 0.9
set yrange [0:700]
set y2range [0:7]
set ytics 0,100
set y2tics 0,1
set border 11
set key top right horizontal
set ylabel 'cycles'
set y2label 'degree'
set xlabel 'V words; within each V: R = 1, 2, 4, 8, 16, 32 copies'
set xtics ('32' 2.5, '64' 8.5, '128' 14.5, '256' 20.5, '512' 26.5, '1024' 32.5, '2048' 38.5, '4096' 44.5)
set for [i = 1:7] arrow i from 6 * i - 0.5, 0 to 6 * i - 0.5, 600 nohead linecolor '#bbbbbb'
do for [order in 'random sorted'] {
	eval 'set terminal '.svg.' size 1280,820'
	set output name.'-'.order.'.svg'
	set multiplot layout 2,2 title 'Latency of one warp, '.order.' words: base, lock and bank part, mean degrees'
	do for [padding in '0 1'] {
		do for [mapping in 'cyclic block'] {
			data = rows(sprintf('$1 == "%s" && $2 == "%s" && $3 == %s', order, mapping, padding))
			set title mapping.' mapping, '.(padding eq '0' ? 'without padding' : 'padding of a word')
			plot data using 8 linecolor '#bbbbbb' title 'base', \
				data using 9 linecolor '#4477aa' title 'lock', \
				data using 10 linecolor '#cc6677' title 'bank', \
				data using 0:11 axes x1y2 with points pointtype 7 pointsize 0.5 linecolor '#003366' title 'lock degree', \
				data using 0:12 axes x1y2 with points pointtype 9 pointsize 0.6 linecolor '#882233' title 'bank degree'
		}
	}
	unset multiplot
}

# SPDX-License-Identifier: MIT
name = 'kmeans'
load 'style.gp'
eval 'set terminal '.svg.' size 1080,1160'
set output name.'.svg'
set multiplot layout 4,3 title 'k-means, 212,340 objects (after Fig 8): time of the update step'
set xlabel 'R copies of each vote space'
set ylabel 'ms'
set logscale x 2
set xrange [0.8:40]
set key bottom right
set yrange [0:0.06]
do for [components in '0 2 4 5'] {
	do for [clusters in '128 256 512'] {
		data(padding, mapping) = rows(sprintf('$1 == %s && $2 == %s && $3 == %d && $4 == "%s"', components, clusters, padding, mapping))
		set title clusters.' clusters, '.(components eq '0' ? 'counters alone' : components.' components')
		set arrow 1 from 1024. / clusters, graph 0 to 1024. / clusters, graph 1 nohead linestyle 9
		plot data(0, 'cyclic') using 5:($7 / 1000) with linespoints linestyle 1 title 'cyclic', \
			data(0, 'block') using 5:($7 / 1000) with linespoints linestyle 2 title 'block', \
			data(1, 'cyclic') using 5:($7 / 1000) with linespoints linestyle 3 title 'cyclic, padded', \
			data(1, 'block') using 5:($7 / 1000) with linespoints linestyle 4 title 'block, padded'
	}
}
unset multiplot

# SPDX-License-Identifier: MIT
# Two figures: clusters drawn at random, and neighbouring objects alike.
load 'style.gp'
set xlabel 'R copies of each vote space'
set ylabel 'ms'
set logscale x 2
set xrange [0.8:40]
set key bottom right
do for [name in 'kmeans kmeans-alike'] {
	eval 'set terminal '.svg.' size 1080,1160'
	set output name.'.svg'
	set multiplot layout 4,3 title 'k-means (after Fig 8), 212,340 objects'.(name eq 'kmeans' ? '' : ', neighbours alike').': time of the update step'
	set yrange [0:(name eq 'kmeans' ? 0.06 : 0.12)]
	do for [components in '0 2 4 5'] {
		if (components eq '0') { set key top right } else { set key bottom right }
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
}

# SPDX-License-Identifier: MIT
# Two figures: clusters drawn at random, and neighbouring objects alike.
load 'style.gp'
set logscale x 2
set xrange [0.8:40]
# One legend for all panels, below them; each panel has its own scale, as the curves of one lie close together.
set key off
do for [name in 'kmeans kmeans-alike'] {
	eval 'set terminal '.svg.' size 1080,1160'
	set output name.'.svg'
	set multiplot layout 4,3 margins 0.085,0.98,0.08,0.93 spacing 0.06,0.06 title 'k-means (after Fig 8), 212,340 objects'.(name eq 'kmeans' ? '' : ', neighbours alike').': time of the update step'
	do for [components in '0 2 4 5'] {
		do for [clusters in '128 256 512'] {
			data(padding, mapping) = rows(sprintf('$1 == %s && $2 == %s && $3 == %d && $4 == "%s"', components, clusters, padding, mapping))
			if (components eq '5' && clusters eq '512') { set key on at screen 0.5, screen 0.005 center bottom vertical maxrows 1 }
			set ylabel (clusters eq '128' ? 'us' : '')
			set xlabel (components eq '5' ? 'R copies of each vote space' : '')
			set title clusters.' clusters, '.(components eq '0' ? 'counters alone' : components.' components')
			set arrow 1 from 1024. / clusters, graph 0 to 1024. / clusters, graph 1 nohead linestyle 9
			plot data(0, 'cyclic') using 5:7 with linespoints linestyle 1 title 'cyclic', \
				data(0, 'block') using 5:7 with linespoints linestyle 2 title 'block', \
				data(1, 'cyclic') using 5:7 with linespoints linestyle 3 title 'cyclic, padded', \
				data(1, 'block') using 5:7 with linespoints linestyle 4 title 'block, padded'
		}
	}
	unset multiplot
	set key off
}

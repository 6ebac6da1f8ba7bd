# SPDX-License-Identifier: MIT
name = 'gtx1080'
load 'style.gp'
eval 'set terminal '.svg.' size 1500,460'
set output name.'.svg'
set multiplot layout 1,3 title 'Update step of k-means, 5,000 points, 32 coordinates'
set xlabel 'clusters'
set logscale xy
set xrange [1.5:6500]
# Sorted by clusters: the CSV is in the order of the runs.
data(algorithm, changed) = sprintf("< awk -F, 'NR > 1 && $1 == \"%s\" && $2 == 5000 && $4 == 32 && $5 == %d && $3 <= 4096' gtx1080.csv | sort -t, -k3n", algorithm, changed)
gain(algorithm, changed) = sprintf("< awk -F, '$2 == 5000 && $4 == 32 && $3 <= 4096 { if ($1 == \"kmcuda\" && $5 == %d) rival[$3] = $7; else if ($1 == \"%s\") own[$3] = $7 } END { for (k in own) if (k in rival) print k \",\" rival[k] / own[k] }' gtx1080.csv | sort -t, -k1n", changed, algorithm)
set title 'Time'
set ylabel 'us'
set key top left
set format y '%.0s%c' # 100k
set yrange [10:3e7]
plot data('gm-cl', 0) using 3:7 with linespoints linestyle 1 title 'GM-CL', \
	data('gm-dl', 0) using 3:7 with linespoints linestyle 2 title 'GM-DL', \
	data('sm-cl', 0) using 3:7 with linespoints linestyle 3 title 'SM-CL', \
	data('sm-dl', 0) using 3:7 with linespoints linestyle 4 title 'SM-DL', \
	data('kmcuda', 0) using 3:7 with linespoints linestyle 5 title 'KMCUDA, no point changed', \
	data('kmcuda', 10) using 3:7 with lines linestyle 9 title 'KMCUDA, a tenth changed'
set title 'Gain'
set ylabel 'times as fast as KMCUDA'
set format y '%g'
set yrange [0.01:1000]
$published << END
512,4.2,1
2048,14.1,2
32,12,3
END
# Of GM-CL and GM-DL from 64 clusters on, of SM-CL from 8 to 256: at the right edge.
$averages << END
5800,3.1,1
4900,8.1,2
6200,8.4,3
END
colour(i) = i == 1 ? 0x4477aa : i == 2 ? 0xcc6677 : 0x228833
set datafile separator ','
plot 1 with lines linestyle 9 notitle, \
	gain('gm-cl', 0) using 1:2 with linespoints linestyle 1 title 'GM-CL, no point changed', \
	gain('gm-dl', 0) using 1:2 with linespoints linestyle 2 title 'GM-DL', \
	gain('sm-cl', 0) using 1:2 with linespoints linestyle 3 title 'SM-CL', \
	gain('sm-cl', 10) using 1:2 with lines linestyle 3 dashtype 2 title 'SM-CL, a tenth changed', \
	$published using 1:2:(colour($3)) with points pointtype 6 pointsize 1.5 linecolor rgb variable title 'published maxima', \
	$averages using 1:2:(colour($3)) with points pointtype 8 pointsize 1.2 linecolor rgb variable title 'published averages'
# The same on an H200: points measured, lines simulated.
h200(algorithm) = sprintf("< awk -F, '$1 == \"%s\"' gtx1080-h200.csv", algorithm)
set title 'The same on an H200'
set ylabel 'us'
set format y '%.0s%c'
set xrange [1.5:2800]
set yrange [10:3e7]
set key top right
plot for [i = 1:4] h200(word('gm-cl gm-dl sm-cl sm-dl', i)) using 2:3 with points linestyle i pointsize 1.2 \
		title word('GM-CL GM-DL SM-CL SM-DL', i).', measured by us', \
	for [i = 1:4] h200(word('gm-cl gm-dl sm-cl sm-dl', i)) using 2:4 with lines linestyle i notitle, \
	keyentry with lines linewidth 2 linecolor '#555555' title 'lines: simulated'
unset multiplot

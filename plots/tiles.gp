# SPDX-License-Identifier: MIT
name = 'tiles'
load 'style.gp'
eval 'set terminal '.svg.' size 800,420'
set output name.'.svg'
set title 'Whole kernels without atomics'
set ylabel 'ms'
set yrange [0:16]
set style fill solid 0.8 noborder
set boxwidth 0.4
# Labels of two lines below the axis.
set bmargin 3.5
set key top right
set xrange [-0.6:3.6]
set xtics ('transpose' 0, "transpose,\npadded" 1, "reduction,\ninterleaved" 2, "reduction,\nsequential" 3)
$measured << EOD
0,13.05
1,7.60
EOD
time = "< awk -F, '/^transpose/ { print n++ FS $8 } /^reduction/ { sum[$2] += $8 } END { print 2 FS sum[\"interleaved\"]; print 3 FS sum[\"sequential\"] }' tiles.csv"
plot $measured using ($1 - 0.21):2 with boxes linecolor '#bbbbbb' title 'measured on a GTX 580', \
	time using ($1 + 0.21):2 with boxes linecolor '#4477aa' title 'simulated', \
	time using ($1 + 0.25):2:(sprintf('%.1f', $2)) with labels offset 0,0.7 notitle, \
	$measured using ($1 - 0.25):2:(sprintf('%.1f', $2)) with labels offset 0,0.7 notitle

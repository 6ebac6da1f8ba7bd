# SPDX-License-Identifier: MIT
name = 'hough'
load '../style.gp'
eval 'set terminal '.svg.' size 1280,420'
set output name.'.svg'
set multiplot layout 1,3 title 'Hough transform of a photograph, 180 angles, 16 SMs: hashing with ipoly'
set ylabel 'thousand cycles'
set yrange [0:*]
set key top left
data(where, hash, lanes, rhos, padding) = rows(sprintf('$1 == "%s" && $2 == "%s" && $3 == "%s" && %s && $6 == %d', where, hash, lanes, rhos, padding))
set logscale x 2
do for [panel in 'pixels512 pixels1024 angles'] {
	lanes = substr(panel, 1, 6)
	rhos = lanes eq 'angles' ? '1' : '$4 == '.substr(panel, 7, 10)
	x = lanes eq 'angles' ? 4 : 5
	set xlabel lanes eq 'angles' ? 'bins of rho: the stride of the lanes' : 'R copies of the row of rhos, cyclic'
	set title lanes eq 'angles' ? 'lanes are angles, R = 1' : 'lanes are pixels, '.substr(panel, 7, 10).' bins of rho'
	plot data('none', 'mod', lanes, rhos, 0) using x:($7 / 1000) with linespoints linestyle 1 title 'mod', \
		data('none', 'mod', lanes, rhos, 1) using x:($7 / 1000) with linespoints linestyle 4 title 'mod, padded', \
		data('banks', 'ipoly', lanes, rhos, 0) using x:($7 / 1000) with linespoints linestyle 3 title 'banks hashed', \
		data('locks', 'ipoly', lanes, rhos, 0) using x:($7 / 1000) with linespoints linestyle 5 title 'locks hashed', \
		data('both', 'ipoly', lanes, rhos, 0) using x:($7 / 1000) with linespoints linestyle 2 title 'both'
}
unset multiplot

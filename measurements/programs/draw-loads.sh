#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws points for load-points at random: draw-loads.sh SEED [POINTS] > points.csv
#
# Each point takes a launch shape, a width, loads in flight, an order, a state and a footprint of the lists below, all equally likely;
# of what is cold a walk's footprint is what it loads, so that no line comes twice, and random loads lie in 1 GiB. The same seed
# gives the same points with any awk.
set -eu
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: $0 SEED [POINTS]" >&2
	exit 2
fi
exec awk -v seed="$1" -v n="${2:-240}" '
# A generator of 31 bits (Park and Miller, CACM 31, 1988): products stay below 2^53.
function below(limit) {
	state = state * 16807 % 2147483647
	return int(state / 2147483647 * limit)
}
BEGIN {
	if (seed !~ /^[0-9]+$/ || seed < 1 || seed > 2147483646) {
		print "seed: found " seed "; allowed: 1 to 2147483646" >"/dev/stderr"
		exit 2
	}
	state = seed
	n_shapes = split("1x32 1x96 1x224 1x480 1x768 1x1024 4x160 9x640 20x352 33x96 50x256 66x896 80x64 100x416 120x192 " \
		"132x32 132x64 132x160 132x288 132x448 132x704 132x960 198x352 264x224", shapes, " ")
	n_sizes = split("1 1.5 3 5 7 10 14 20", sizes, " ")
	split("again again written cold cold", states, " ")
	for (i = 0; i < 100; i++)
		below(1)
	print "order,state,path,footprint_bytes,blocks,threads,bytes_per_lane,loads_in_flight,steps"
	for (i = 0; i < n; i++) {
		split(shapes[below(n_shapes) + 1], shape, "x")
		order = below(2) ? "random" : "walk"
		state_name = states[below(5) + 1]
		path = below(3) ? "cg" : "ca"
		width = 4 * 2 ^ below(3)
		loads = 2 ^ below(4)
		steps = 64 * (1 + below(2))
		bytes = sizes[below(n_sizes) + 1] * 1048576
		if (state_name == "cold")
			bytes = order == "walk" ? shape[1] * shape[2] * width * steps : 1073741824
		print order "," state_name "," path "," bytes "," shape[1] "," shape[2] "," width "," loads "," steps
	}
}'

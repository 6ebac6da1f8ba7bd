#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws points for global-atomics at random: draw-points.sh SEED [POINTS] > points.csv
#
# Launch shapes, numbers of targets and spacings are lists below that had no value in common with those of any file measured
# before the first points were drawn (2026-11-22, seed 20261122; seeds 20261123 and 20261124 drew from the same lists); each point takes one of each, an operation, dependent or not, and an order, all equally likely.
# The same seed gives the same points with any awk. What the compiled program does (`ahead`, `start_cycles`) is added
# as measurements/h200/README.md says.
set -eu
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: $0 SEED [POINTS]" >&2
	exit 2
fi
exec awk -v seed="$1" -v n="${2:-360}" '
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
	n_shapes = split("1x320 1x704 2x384 3x640 4x288 7x512 11x416 13x256 18x768 22x352 30x480 40x224 " \
		"48x640 70x288 90x448 104x256 116x160 132x288 132x544 140x384 180x256 231x320 288x192 350x160", shapes, " ")
	n_targets = split("15 17 19 25 30 38 46 58 75 92 105 135 170 240 310 390 470 650 850 1300 1700 2700 3700 " \
		"5500 13000 27000 90000 180000", targets, " ")
	n_spacings = split("17 19 21 23 25 27 29 34 38 42 46 50 54 58 62", spacings, " ")
	n_operations = split("red_add_u32 atom_add_u32 red_add_f32 atom_cas_u32 atom_exch_u32 red_max_u32 ld_cg red_add_f64", operations, " ")
	for (i = 0; i < 100; i++)
		below(1)
	print "op,dependent,targets,spacing_words,order,blocks,threads,atomics_per_thread"
	for (i = 0; i < n; i++) {
		op = operations[below(n_operations) + 1]
		dependent = below(2)
		if (op ~ /^red/)
			dependent = 0
		split(shapes[below(n_shapes) + 1], shape, "x")
		print op "," dependent "," targets[below(n_targets) + 1] "," spacings[below(n_spacings) + 1] "," \
			(below(2) ? "random" : "cyclic") "," shape[1] "," shape[2] "," (shape[1] < 2 ? 64 : shape[1] < 48 ? 32 : 16)
	}
}'

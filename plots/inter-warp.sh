#!/bin/bash
# SPDX-License-Identifier: MIT
# Conflicts between warps on one SM: 16 warps of a block repeat an atomic 64 times; n of them share the
# words of their first m lanes, all other lanes have words of their own.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# colliding WARPS LANES: the patterns of the 16 warps
colliding() {
	awk -v n="$1" -v m="$2" 'BEGIN {
		for (w = 0; w < 16; w++) {
			printf "%s", w ? ";" : ""
			for (i = 0; i < 32; i++) printf "%s%d", i ? " " : "", (w < n && i < m ? 0 : w + 1) * 32 + i
		}
	}'
}

cases() {
	local n
	for n in 1 2 4 8 16 24 32; do
		echo "lanes,16,$n: pattern --warps 16 --repeat 64 --addresses \"$(colliding 16 "$n")\""
	done
	for n in 1 2 4 6 8 10 12 14 16; do
		echo "warps,$n,32: pattern --warps 16 --repeat 64 --addresses \"$(colliding "$n" 32)\""
	done
	# The same numbers of colliding lanes within each warp, for comparison.
	for n in 1 2 4 6 8 10 12 14 16; do
		echo "intra,$n,1: pattern --warps 16 --repeat 64 --addresses \"$(intra "$n")\""
	done
}

# intra N: in each of the 16 warps N lanes share a word
intra() {
	awk -v n="$1" 'BEGIN {
		for (w = 0; w < 16; w++) {
			printf "%s", w ? ";" : ""
			for (i = 0; i < 32; i++) printf "%s%d", i ? " " : "", w * 32 + (i < n ? 0 : i)
		}
	}'
}

echo series,warps,lanes,cycles,lanes_per_1000_cycles
cases | measure cycles | awk -F, -v OFS=, '{ print $0, sprintf("%.3f", 16 * 64 * 32 * 1000 / $4) }'

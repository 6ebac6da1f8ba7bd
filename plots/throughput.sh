#!/bin/bash
# SPDX-License-Identifier: MIT
# The throughput law: one warp that repeats an atomic with m lanes on one word, 256 times.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

echo degree,cycles,lanes_per_1000_cycles
for m in $(seq 32); do
	echo "$m: pattern --repeat 256 --addresses \"$(lanes 0 "$m" 0)\""
done | measure cycles | awk -F, -v OFS=, '{ print $1, $2, sprintf("%.3f", 256 * 32 * 1000 / $2) }'

#!/bin/bash
# SPDX-License-Identifier: MIT
# One warp alone, the reference paper's Fig 2 and 3: m lanes on one word, or a stride of words
# apart, as an atomic, a load and a store. Cycles without the 2 of the instruction that ends the warp.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# cases ACCESS: a line for each pattern
cases() {
	local stride m
	for stride in 0 1 2 8 32 256 1024; do
		for m in $(seq 32); do
			[ $(((m - 1) * stride)) -lt 12288 ] || continue # 48 KiB
			echo "$1,$stride,$m: pattern --access $1 --addresses \"$(lanes 0 "$m" $stride)\""
		done
	done
}

echo access,stride,lanes,cycles,rounds,passes
for access in atomic load store; do
	cases $access
done | measure cycles,atomics.rounds,shared.passes |
	awk -F, -v OFS=, '{ $4 -= 2; print }'

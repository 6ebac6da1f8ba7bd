#!/bin/bash
# SPDX-License-Identifier: MIT
# How fast sweeps are: 1,000 points over a trace of 113,616 warp instructions, on two processors. The
# aim is 10 seconds, and 20 million executed warp instructions x points a second on each.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 99

"$ATOMSIM" sweep --config fermi.json --jobs 2 --vary "atomic.locks=64..1024:*2" \
	--vary "atomic.lock_hash=mod,xor,ipoly,{\"xor\":[5]}" --vary "shared.bank_hash=mod,xor" \
	--vary "sm.max_warps=24..48" --output out "$SOURCE/traces/histogram.bin" 2>said ||
	{ cat said; exit 1; }
echo "sweep of 1,000 points: $(sed 's/^atomsim: //' said)"

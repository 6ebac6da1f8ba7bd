#!/bin/bash
# SPDX-License-Identifier: MIT
# How fast sweeps are: 1,000 points over a trace of 113,616 warp instructions, on two processors. In the
# first sweep a key is varied that makes a difference to few points, so that few are run; the aim is 6
# seconds. In the second all are; the aim is 20 million executed warp instructions x points a second on each.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 99

sweep() { # NAME AXIS
	"$ATOMSIM" sweep --config fermi.json --jobs 2 --vary "atomic.locks=64..1024:*2" \
		--vary "atomic.lock_hash=mod,xor,ipoly,{\"xor\":[5]}" --vary "shared.bank_hash=mod,xor" \
		--vary "$2" --output "$1" "$SOURCE/traces/histogram.bin" 2>said || {
		cat said
		exit 1
	}
	echo "sweep over ${2%%=*} and three more keys: $(sed 's/^atomsim: //' said)"
}

sweep warps "sm.max_warps=24..48"
sweep rounds "atomic.lock_bits.t_position_cycles=108..132"

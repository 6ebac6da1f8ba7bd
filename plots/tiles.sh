#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole kernels without atomics, which a C++ AMP article times on a GTX 580: transpose of 8192 x 8192
# floats, and the sum of 16,777,216 floats by tiles of 512, both ways of addressing. All blocks of a
# launch do the same work, so a sample of them is simulated and its time scaled: steady, because
# 1,024 tiles or 2,048 blocks are 64 or 43 rounds of what 16 SMs hold.
# C++ AMP's tile_barrier::wait is a fence of all memory, too. It waits for what is under way; what it takes with nothing under
# way, as in these kernels, was not found for Fermi: one cycle, and once more ("fenced") a trip to the L2, 310 cycles.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# cases [PREFIX]
cases() {
	local padding addressing
	for padding in 0 1; do
		echo "${1:-}transpose,padding $padding,65536,1024: transpose --dataflow yes --barrier amp --size 8192 --padding $padding --blocks 1024"
	done
	for addressing in interleaved sequential; do
		# The second launch sums what the first one left; 64 values remain.
		echo "${1:-}reduction,$addressing,32768,2048:" \
			"reduction --dataflow yes --barrier amp --elements 16777216 --addressing $addressing --blocks 2048"
		echo "${1:-}reduction 2,$addressing,64,64: reduction --dataflow yes --barrier amp --elements 32768 --addressing $addressing"
	done
}

# with CYCLES: of a fence that has nothing to wait for
with() {
	measure cycles,time_us,shared.conflict_passes --set "sm.issue.fence_device_cycles=$1" |
		awk -F, -v OFS=, '{ print $0, sprintf("%.3f", $6 * $3 / $4 / 1000) }'
}

echo kernel,variant,blocks,simulated_blocks,sample_cycles,sample_us,conflict_passes,time_ms
cases | with 1
cases "fenced " | with 310

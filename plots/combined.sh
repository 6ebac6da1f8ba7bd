#!/bin/bash
# SPDX-License-Identifier: MIT
# The naive backward pass of Gaussian splatting on an H200, and on one that merges or buffers its atomics on global memory: configs/designs/arc,
# dab and buffered-l1, and these with a key or two changed.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# variant NAME CONFIG [OPTION]...
variant() {
	local name=$1 config=$2
	shift 2
	printf '%s,' "$name"
	"$ATOMSIM" run --config "$config" --no-baseline --causes=no --reproducible --format csv "$@" \
		"$SOURCE/measurements/h200/splat/naive.bin" |
		columns cycles,memory.packets,memory.merged_lanes,memory.buffered_lanes,memory.fused_lanes
}

echo variant,cycles,packets,merged_lanes,buffered_lanes,fused_lanes
variant none h200
variant arc designs/arc
variant "arc serial" designs/arc --set global.atomic.merge.order=serial
variant "arc 16" designs/arc --set global.atomic.merge.threshold=16
variant "arc slow" designs/arc --set global.atomic.merge.word_cycles=4 --set global.atomic.merge.step_cycles=32
variant dab designs/dab
variant "dab arrival" designs/dab --set global.atomic.buffer.order=arrival
variant "dab warp" designs/dab --set global.atomic.buffer.per=warp
variant "dab 32" designs/dab --set global.atomic.buffer.entries=32
variant "dab 256" designs/dab --set global.atomic.buffer.entries=256
variant "dab without fusion" designs/dab --set global.atomic.buffer.fuse=0
variant "arc and dab" designs/arc --set global.atomic.buffer.entries=64 --set global.atomic.buffer.order=address
variant l1 designs/buffered-l1

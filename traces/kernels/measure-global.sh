#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures whole launches of the kernels on global memory that global.list names, on this machine's
# GPU: every program proves its result first.
#
#   measure-global.sh [WHICH] > launches.csv
#   measure-global.sh 'apps \(copy\|micro2\) '
#
# WHICH: lines of global.list that begin with it, as grep reads it; without it all.
#
# Columns: program, arguments, name of the kernel, cycles of the slowest SM from its first warp's begin to its
# last one's end behind a device-wide fence (median, least, most of ten launches), the median block's
# cycles, microseconds between events around the launch. Leave the GPU to this script meanwhile.

set -eu
cd "$(dirname "$0")"

for program in apps bins prefix sums update; do
	[ -x "./$program.measured" ] ||
		"${NVCC:-nvcc}" -std=c++17 -O2 -arch="${ARCH:-native}" -DMEASURE \
			-o "./$program.measured" "$program.cu"
done

echo "program,arguments,kernel,cycles,cycles_min,cycles_max,block_cycles,microseconds,launch.l2"
grep -v '^#' global.list | grep "^${1:-}" | while read -r program arguments; do
	# shellcheck disable=SC2086 # arguments are words
	output=$("./$program.measured" $arguments) || {
		echo "measure-global.sh: $program $arguments failed" >&2
		exit 1
	}
	echo "$output" | sed -n "s/^measured \(.*\)/$program,$arguments,\1,warm/p"
done

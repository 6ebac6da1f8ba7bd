#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The first accesses of a process to memory that no kernel has used, a process for each kind and shape, alone and under Nsight Compute.
#   first-touch.sh FIRST-TOUCH > first-touch.csv
set -eu
[ $# -eq 1 ] || { echo "usage: first-touch.sh FIRST-TOUCH" >&2; exit 2; }

rows() {
	"$@" | sed 's/^/alone,/'
	ncu --clock-control none --cache-control none --metrics sm__cycles_active.max "$@" |
		sed -n 's/^\([a-z-]*,[0-9]*,[01],\)/counted,\1/p'
}

echo way,kind,stride,copied,blocks,threads,launch,step,cycles_min,cycles,cycles_max
for shape in "1 32" "132 32" "132 256"; do
	for kind in operand lookup variable; do
		for stride in 64 256; do
			# shellcheck disable=SC2086 # blocks and threads
			rows "$1" $kind $stride $shape
			# shellcheck disable=SC2086
			rows "$1" $kind $stride $shape copied
		done
	done
	for kind in local-load local local-store global-load global global-store; do
		# shellcheck disable=SC2086
		rows "$1" $kind 128 $shape
	done
done

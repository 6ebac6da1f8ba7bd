#!/bin/bash
# SPDX-License-Identifier: MIT
# The experiments of Elteir, Lin and Feng (IEEE Cluster 2011) on a Radeon HD 5870: the paper's Fig 4 and 8 to 13. Each
# trace is replayed by the GPU's own atomics (l2) and, but for the copy, by the software's (coordinator). A
# workgroup has 64 work-items here; the paper plots the best of 64, 128 and 256.
# x: workgroups; work-items of each of 128 workgroups, for lanes; rows of the matrices; points; matches in the text, for match-GROUPS.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"
CONFIG=hd5870.json

copies() {
	local part groups
	for part in both atomic copy; do
		for groups in 8 16 32 64 128 256; do
			echo "copy-$part,$groups: apps --application copy --part $part --groups $groups"
		done
	done
	for part in unused copy; do
		echo "copy-$part,8192: apps --application copy --part $part --groups 8192 --group-threads 256"
	done
}

applications() {
	local application groups size points matches
	for application in micro1 micro2 scalar; do
		for groups in 2 4 8 16 32 64 128; do
			echo "$application,$groups: apps --application $application --groups $groups"
		done
	done
	# Wavefronts of few lanes.
	for size in 8 16 32 64; do
		echo "lanes,$size: apps --application micro1 --groups 128 --group-threads $size"
	done
	# A work-item makes one element of up to 64 x 64, several of more.
	for size in 8 16 32 64 128 256; do
		groups=$((size < 64 ? size * size / 64 : 64))
		echo "matmul,$size: apps --application matmul --size $size --groups $groups"
	done
	for points in 512 1024 2048 4096 8192; do
		echo "kmeans,$points: apps --application kmeans --groups $((points / 64))"
	done
	for groups in 32 64 128; do
		for matches in 7 87 1413 20234; do
			echo "match-$groups,$matches: apps --application match --groups $groups --matches $matches"
		done
	done
}

columns=cycles,time_us,memory.accesses,memory.complete_accesses,memory.wait_loop_accesses,memory.coordinator_rounds
echo "application,x,mechanism,${columns//memory./}"
copies | sed 's/:/,l2:/' | measure $columns
applications | make_traces
sed -i 's/$/,l2/' "$traces/labels"
replay $columns
sed -i 's/,l2$/,coordinator/' "$traces/labels"
replay $columns --set global.atomic.mechanism=coordinator

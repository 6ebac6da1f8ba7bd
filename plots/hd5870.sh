#!/bin/bash
# SPDX-License-Identifier: MIT
# The experiments of Elteir, Lin and Feng (IEEE Cluster 2011) on a Radeon HD 5870: the paper's Fig 4 and 8 to 13. Each
# trace is replayed by the GPU's own atomics (l2) and, but for the copy, by the software's (coordinator), with 64, 128 and
# 256 work-items a workgroup, of which the paper plots the best of its applications.
# x: workgroups; work-items of each of 128 workgroups, for lanes; rows of the matrices; points; matches in the text, for match-GROUPS.
# Stores of the applications that emit records take the fast path (VI.C, static counts); all others' the complete one.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"
CONFIG=hd5870.json
# What waits for what, as fetches of one clause are waited for together; a wavefront ends when the memory has what it sent.
flow="--dataflow yes --end fence"

copies() {
	local part groups threads
	for part in both atomic copy; do
		for groups in 8 16 32 64 128 256; do
			for threads in 64 128 256; do
				echo "copy-$part,$groups,$threads: apps --application copy --part $part --groups $groups --group-threads $threads $flow"
			done
		done
	done
	for part in unused copy; do
		echo "stream-$part,8192,256: apps --application stream --part $part --groups 8192 --group-threads 256"
	done
}

small() {
	local application groups threads lanes
	for application in micro1 micro2 scalar; do
		for groups in 2 4 8 16 32 64 128; do
			for threads in 64 128 256; do
				echo "$application,$groups,$threads: apps --application $application --groups $groups --group-threads $threads $flow"
			done
		done
	done
	# Wavefronts of few lanes.
	for lanes in 8 16 32 64; do
		echo "lanes,$lanes,$lanes: apps --application micro1 --groups 128 --group-threads $lanes $flow"
	done
}

emitting() {
	local size points matches groups threads
	for threads in 64 128 256; do
		# A work-item makes one element of up to 64 x 64, several of more.
		for size in 8 16 32 64 128 256; do
			groups=$(((size < 64 ? size * size : 4096) / threads))
			[ $groups -gt 0 ] || continue
			echo "matmul,$size,$threads: apps --application matmul --size $size --groups $groups --group-threads $threads $flow"
		done
		for points in 512 1024 2048 4096 8192; do
			echo "kmeans,$points,$threads: apps --application kmeans --groups $((points / threads)) --group-threads $threads $flow"
		done
		# The number of clusters is not published: 32 above.
		for clusters in 64 128; do
			for points in 512 8192; do
				echo "kmeans-$clusters,$points,$threads: apps --application kmeans --size $clusters" \
					"--groups $((points / threads)) --group-threads $threads $flow"
			done
		done
		for groups in 32 64 128; do
			for matches in 7 87 1413 20234; do
				echo "match-$groups,$matches,$threads: apps --application match --groups $groups --group-threads $threads --matches $matches $flow"
			done
		done
	done
}

# both OPTION...: traces by the GPU's atomics and by the coordinator.
both() {
	make_traces
	sed -i 's/$/,l2/' "$traces/labels"
	replay $columns "$@"
	sed -i 's/,l2$/,coordinator/' "$traces/labels"
	replay $columns --set global.atomic.mechanism=coordinator
}

columns=cycles,time_us,memory.accesses,memory.complete_accesses,memory.wait_loop_accesses,memory.coordinator_rounds
echo "application,x,threads,mechanism,${columns//memory./}"
copies | sed 's/:/,l2:/' | measure $columns
small | both
emitting | both --set paths.rule=all-but-stores

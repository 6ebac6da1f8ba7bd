#!/bin/bash
# SPDX-License-Identifier: MIT
# Hough transform of a photograph's edges, 180 angles. Lanes are pixels: one angle a block, R copies of
# its row of rhos. Lanes are angles: as many rows as shared memory holds, R = 1.
# shellcheck source=plots/study/designs.sh
. "$(dirname "$0")/designs.sh"

cases() {
	local image=$SOURCE/traces/images/camera.pgm rhos r padding
	for rhos in 512 1024; do
		for r in 1 4 8 16; do
			for padding in 0 1; do
				[ $((r * (rhos + padding) - padding)) -le 12288 ] || continue
				echo "pixels,$rhos,$r,$padding: hough --image $image --rhos $rhos" \
					"--block-thetas 1 --replicas $r --padding $padding"
			done
		done
	done
	# A row of one more bin is what padding is here.
	for rhos in 256 257 512 513 1024 1025; do
		echo "angles,$((rhos / 2 * 2)),1,$((rhos % 2)): hough --image $image --rhos $rhos" \
			"--block-thetas $((11776 / rhos < 32 ? 11776 / rhos : 32)) --lanes angles"
	done
}

cases | make_traces
echo "where,hash,lanes,rhos,replicas,padding,$METRIC_NAMES"
replay_designs

#!/bin/bash
# SPDX-License-Identifier: MIT
# The reference paper's Fig 9: histogram of a natural image, 16 blocks of 1,024 threads. The paper's
# images have 12 bits; here sums of 4 x 4 pixels of an 8-bit photograph give 12 bits.
# IMAGE=FILE takes another image.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

cases() {
	local bins padding r mapping
	for bins in 32 64 128 256 512 1024 2048 4096; do
		for padding in 0 1; do
			for r in 1 2 3 4 8 16 32 64 128 256; do
				[ $((r * (bins + padding) - padding)) -le 12288 ] || continue
				for mapping in cyclic block; do
					echo "$bins,$padding,$mapping,$r: histogram --image $image --bins $bins" \
						"--padding $padding --mapping $mapping --replicas $r"
				done
			done
		done
	done
}

image=${IMAGE:-}
if [ -z "$image" ]; then
	folder=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-plots.XXXXXX")
	trap 'rm -rf "$traces" "$folder"' EXIT
	image=$folder/camera12.pgm
	deepen "$SOURCE/traces/images/camera.pgm" >"$image"
fi
echo bins,padding,mapping,replicas,cycles,time_us,rounds,retries
cases | measure cycles,time_us,atomics.rounds,atomics.retries

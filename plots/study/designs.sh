# SPDX-License-Identifier: MIT
# What the experiments of the study share: the hashes compared, and the photograph.
# shellcheck shell=bash
# shellcheck source=plots/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

METRICS=cycles,shared.conflict_passes,atomics.retries,cost_bits
# What a header calls them.
# shellcheck disable=SC2034 # for those that source this
METRIC_NAMES=cycles,conflict_passes,retries,cost_bits

# Any lane reaches any lock in each pass, as in the paper.
free=(--set atomic.lock_bits.ports=0)

# replay_designs: the traces on Fermi, and with each hash of the banks, the locks, and both.
# Rows "WHERE,HASH,LABEL,METRICS".
replay_designs() {
	local hash
	replay "$METRICS" | sed 's/^/none,mod,/'
	for hash in xor ipoly; do
		replay "$METRICS" "${free[@]}" --set "shared.bank_hash=$hash" | sed "s/^/banks,$hash,/"
		replay "$METRICS" "${free[@]}" --set "atomic.lock_hash=$hash" | sed "s/^/locks,$hash,/"
		replay "$METRICS" "${free[@]}" --set "shared.bank_hash=$hash" --set "atomic.lock_hash=$hash" |
			sed "s/^/both,$hash,/"
	done
}

# photograph: leaves a photograph of 12 bits a pixel in $image.
photograph() {
	folder=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-plots.XXXXXX")
	trap 'rm -rf "$traces" "$folder"' EXIT
	image=$folder/camera12.pgm
	deepen "$SOURCE/traces/images/camera.pgm" >"$image"
}

# histograms OPTION...: lines for make_traces, of every size that shared memory holds; cyclic, without
# and with a word of padding.
histograms() {
	local bins r padding
	for bins in 32 64 128 256 512 1024 2048 4096; do
		for r in 1 2 4 8 16 32; do
			for padding in 0 1; do
				[ $((r * (bins + padding) - padding)) -le 12288 ] || continue
				echo "$bins,$r,$padding: histogram --image $image --bins $bins" \
					"--replicas $r --padding $padding $*"
			done
		done
	done
}

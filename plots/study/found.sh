#!/bin/bash
# SPDX-License-Identifier: MIT
# Hashes found for a program by `atomsim search` against the named ones. The search sees every second
# block; `fewer` is the cycles' ratio on the others, by its own report.
# shellcheck source=plots/study/designs.sh
. "$(dirname "$0")/designs.sh"

# found LABEL WORKLOAD OPTION...
found() {
	local label=$1 config=$folder/found.json ratio
	shift
	echo "$label: $*" | make_traces
	ratio=$("$ATOMSIM" search --config "$CONFIG" "${free[@]}" --target both -o "$config" "$traces"/*.bin |
		sed -nE 's/^Both: ([0-9.]+)x faster.*/\1/p')
	[ -n "$ratio" ] || { echo "found.sh: $label: no 'Both: ...x faster' in what the search prints" >&2; exit 1; }
	replay_designs | grep -E '^(none|both),' | sed 's/$/,/'
	# The designs' lines have a hash's name in the second column.
	CONFIG=$config replay "$METRICS" "${free[@]}" | sed "s/^/both,found,/; s/\$/,$ratio/"
}

photograph
echo "where,hash,program,$METRIC_NAMES,held_out_speedup"
for size in "32 32" "256 8" "256 32" "1024 8" "4096 2"; do
	read -r bins r <<<"$size"
	found "histogram $bins x $r" histogram --image "$image" --bins "$bins" --replicas "$r"
done
camera=$SOURCE/traces/images/camera.pgm
found "histogram 256 x 32 padded" histogram --image "$image" --bins 256 --replicas 32 --padding 1
found "hough pixels 1024 x 8" hough --image "$camera" --rhos 1024 --block-thetas 1 --replicas 8
found "hough angles 512" hough --image "$camera" --rhos 512 --block-thetas 23 --lanes angles

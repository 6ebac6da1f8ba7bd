#!/bin/bash
# SPDX-License-Identifier: MIT
# What is not known, varied over its plausible range: the split of t_base, how long a lock is held, who
# wins it, the scheduler. Effect on k-means (256 clusters, 2 components), the histogram (256 bins) and
# colliding warps. A setting that livelocks is a row without cycles.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

image=${IMAGE:-$SOURCE/traces/images/camera.pgm}

# colliding N: 16 warps of which N share their 32 words
colliding() {
	awk -v n="$1" 'BEGIN {
		for (w = 0; w < 16; w++) {
			printf "%s", w ? ";" : ""
			for (i = 0; i < 32; i++) printf "%s%d", i ? " " : "", (w < n ? 0 : w + 1) * 32 + i
		}
	}'
}

cases() {
	local n
	for n in 1 2 4 8 16; do
		echo "kmeans,$n: kmeans --clusters 256 --replicas $n"
	done
	for n in 1 2 4 8 16 32; do
		echo "histogram,$n: histogram --image $image --bins 256 --replicas $n"
	done
	for n in 1 2 4 8 12 16; do
		echo "warps,$n: pattern --warps 16 --repeat 64 --addresses \"$(colliding "$n")\""
	done
}

# settings: a line "KEY VALUE" for each
settings() {
	local value
	for value in 20 28 36 52 68 80; do echo "atomic.lock_bits.lk_cycles $value"; done
	for value in 0 8 16 32 64; do echo "atomic.lock_bits.hold_cycles $value"; done
	for value in lowest highest rotate random; do echo "atomic.lock_bits.winner $value"; done
	for value in lrr gto two-level; do echo "sm.scheduler $value"; done
}

# one_by_one: for a setting that cannot run all traces, those that it can
one_by_one() {
	local file label
	paste -d: "$traces/labels" <(ls "$traces"/*.bin) | while IFS=: read -r label file; do
		"$ATOMSIM" run --config "$CONFIG" --no-baseline --reproducible --format csv "$@" "$file" \
			2>/dev/null | columns cycles | sed "s/^/$label,/" || echo "$label,"
	done
}

cases | make_traces
echo key,value,experiment,x,cycles
settings | while read -r key value; do
	{ replay cycles --set "$key=$value" 2>/dev/null || one_by_one --set "$key=$value"; } |
		sed "s/^/$key,$value,/"
done

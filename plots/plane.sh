#!/bin/bash
# SPDX-License-Identifier: MIT
# How t_base splits is published nowhere. Here the split's plane (lk_cycles, operation_cycles) against every claim
# of the paper that it moves, and the rule by which the default is chosen: of the splits whose operation takes no
# less than an addition is known to (18 cycles, Volkov, GTC 2010; NVIDIA's guide: about 22), those under which most
# of these claims hold, and of them the one nearest to a load's and an addition's latency (52 and 22 cycles).
# A best R counts as found if the paper's is within 2 % of the best. A row: the split, the claim, what was simulated,
# whether the claim holds; the last row, "chosen", is the rule's.
# JOBS=N: splits at a time.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

lk_values=${LK:-"12 20 28 36 44 52 60"}
operation_values=${OPERATION:-"4 10 18 22 28"}

# colliding WARPS: 16 warps of which so many share their 32 words; intra N: N lanes of each on one word
colliding() {
	awk -v n="$1" 'BEGIN { for (w = 0; w < 16; w++) {
		printf "%s", w ? ";" : ""
		for (i = 0; i < 32; i++) printf "%s%d", i ? " " : "", (w < n ? 0 : w + 1) * 32 + i } }'
}
intra() {
	awk -v n="$1" 'BEGIN { for (w = 0; w < 16; w++) {
		printf "%s", w ? ";" : ""
		for (i = 0; i < 32; i++) printf "%s%d", i ? " " : "", w * 32 + (i < n ? 0 : i) } }'
}

cases() {
	local n clusters components mapping r bins padding
	for n in 1 2 4 8 16; do
		echo "warps,$n,0,0,0: pattern --warps 16 --repeat 64 --addresses \"$(colliding "$n")\""
		echo "intra,$n,0,0,0: pattern --warps 16 --repeat 64 --addresses \"$(intra "$n")\""
	done
	for components in 0 2; do
		for clusters in 128 256 512; do
			for r in 1 2 4 8 16; do
				[ $(((components + 1) * r * clusters)) -le 12288 ] || continue
				for mapping in cyclic block; do
					echo "kmeans,$components,$clusters,$mapping,$r: kmeans --components $components" \
						"--clusters $clusters --mapping $mapping --replicas $r"
				done
			done
		done
	done
	# All that the claim is of: R * V up to 1,024 words.
	for components in 0 2 4 5; do
		for clusters in 128 256 512; do
			for r in 2 4 8; do
				[ $((r * clusters)) -le 1024 ] || continue
				for mapping in cyclic block; do
					echo "alike,$components,$clusters,$mapping,$r: kmeans --components $components" \
						"--clusters $clusters --mapping $mapping --replicas $r --distribution walk --reach 1"
				done
			done
		done
	done
	for bins in 32 128 256; do
		for padding in 0 1; do
			for r in 1 2 4 8 16 32 64; do
				[ $((r * (bins + padding) - padding)) -le 12288 ] || continue
				for mapping in cyclic block; do
					echo "histogram,$padding,$bins,$mapping,$r: histogram --image $image --bins $bins" \
						"--padding $padding --mapping $mapping --replicas $r"
				done
			done
		done
	done
}

# Rows of one split: lk,operation,claim,simulated,holds. $1 series, $2 components or padding (or warps), $3 clusters
# or bins, $4 mapping, $5 copies, $6 cycles.
# shellcheck disable=SC2016
claims='
	function claim(name, text, holds) { printf "%s,%s,%s,%s,%d\n", lk, operation, name, text, holds }
	$1 == "warps" { warps[$2] = $6 }
	$1 == "intra" { intra[$2] = $6 }
	$1 == "kmeans" { k[$2, $3, $4, $5] = $6 }
	$1 == "alike" { a[$2, $3, $4, $5] = $6 }
	$1 == "histogram" { h[$2, $3, $4, $5] = $6 }
	# By how much the copies that the paper finds best are slower than the best, in per cent.
	function late(components, clusters,   r, best) {
		best = k[components, clusters, "cyclic", 1]
		for (r = 2; r <= 16; r *= 2)
			if ((components, clusters, "cyclic", r) in k && k[components, clusters, "cyclic", r] < best)
				best = k[components, clusters, "cyclic", r]
		return 100 * (k[components, clusters, "cyclic", 1024 / clusters] / best - 1)
	}
	function best_time(padding, bins, mapping,   r, t) {
		t = h[padding, bins, mapping, 1]
		for (r = 2; r <= 64; r *= 2)
			if ((padding, bins, mapping, r) in h && h[padding, bins, mapping, r] < t)
				t = h[padding, bins, mapping, r]
		return t
	}
	END {
		share = (warps[16] - warps[1]) / (intra[16] - intra[1])
		claim("colliding warps cost far less than lanes", sprintf("%.3f", share), share <= 0.5)
		falls = 1
		for (n = 2; n <= 16; n *= 2) if (warps[n] <= warps[n / 2]) falls = 0
		claim("throughput falls with colliding warps", falls, falls)
		for (c = 128; c <= 512; c *= 2) {
			x = late(0, c); y = late(2, c)
			claim("k-means: best R by counters of " c " clusters", sprintf("%.1f", x), x <= 2)
			claim("k-means: best R with 2 components of " c " clusters", sprintf("%.1f", y), y <= 2)
		}
		for (i in k) {
			split(i, at, SUBSEP)
			if (at[3] != "cyclic" || at[4] < 2) continue
			n_pairs++
			worse += k[at[1], at[2], "block", at[4]] > k[i]
		}
		claim("k-means: block mapping is worse", sprintf("%.2f", worse / n_pairs), worse == n_pairs)
		for (i in a) {
			split(i, at, SUBSEP)
			if (at[3] == "cyclic") { n_alike++; alike += a[at[1], at[2], "block", at[4]] > a[i] }
		}
		claim("the same where neighbours are alike", sprintf("%.2f", alike / n_alike), alike == n_alike)
		gain = h[0, 32, "block", 1] / h[0, 32, "block", 32]
		claim("histogram: block mapping gains little", sprintf("%.3f", gain), gain < 1.5)
		turn = 1
		for (bins = 32; bins <= 256; bins *= 2) if (bins != 64) {
			last = 1024 / bins
			if (2 * last <= 64 && h[0, bins, "cyclic", 2 * last] <= h[0, bins, "cyclic", last]) turn = 0
			if (2 * last <= 64 && h[0, bins, "block", 2 * last] <= h[0, bins, "block", last]) turn = 0
		}
		claim("histogram: worse beyond 1024 words", turn, turn)
		most = 1
		for (bins = 32; bins <= 256; bins *= 2) if (bins != 64) {
			c = best_time(0, bins, "cyclic") / best_time(1, bins, "cyclic")
			b = best_time(0, bins, "block") / best_time(1, bins, "block")
			if (c <= 1 || b <= 1 || c <= b) most = 0
		}
		claim("histogram: padding helps both and cyclic most", most, most)
	}'

# one_split LK OPERATION
one_split() {
	replay cycles --set "atomic.lock_bits.lk_cycles=$1" --set "atomic.lock_bits.operation_cycles=$2" |
		awk -F, -v lk="$1" -v operation="$2" "$claims"
}

image=${IMAGE:-}
folder=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-plots.XXXXXX")
trap 'rm -rf "$traces" "$folder"' EXIT
if [ -z "$image" ]; then
	image=$folder/camera12.pgm
	deepen "$SOURCE/traces/images/camera.pgm" >"$image"
fi
cases | make_traces
echo lk_cycles,operation_cycles,claim,simulated,holds
for lk in $lk_values; do
	for operation in $operation_values; do
		one_split "$lk" "$operation"
	done
done | tee "$folder/rows"
awk -F, '
	{ n[$1, $2] += $5; at[$1, $2] = $1 "," $2 }
	function distance(lk, operation) { return (lk < 52 ? 52 - lk : lk - 52) + (operation < 22 ? 22 - operation : operation - 22) }
	END {
		for (i in n) {
			split(i, key, SUBSEP)
			if (key[2] < 18) continue
			d = distance(key[1], key[2])
			if (n[i] > most || (n[i] == most && d < near)) { most = n[i]; near = d; chosen = at[i] }
		}
		print chosen ",chosen," most ",1"
	}' "$folder/rows"

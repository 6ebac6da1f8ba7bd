#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures what changes of a kernel gain on this machine's GPU, and records the plain variants.
#
#   variants.sh FOLDER
#
# FOLDER gets variants.csv (by Nsight Compute, ncu, with the GPU's own clock and warm caches: the median of the last five of six
# launches) and raw/NAME (raw captures of the plain variants). Leave the GPU to this script meanwhile.
# held_back: 1 for a third of the families, drawn by a checksum of their names.

set -eu
export LC_ALL=C
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
metrics=smsp__inst_executed.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
metrics=$metrics,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
metrics=$metrics,sm__cycles_active.max,sm__cycles_elapsed.max,gpu__time_duration.sum

make -s variants
./variants list >"$folder/list"
ncu --clock-control none --cache-control none --csv --metrics "$metrics" ./variants all 6 >"$folder/ncu.txt"
grep -q '^PASS' "$folder/ncu.txt"

while read -r plain name change; do
	echo "$plain $name $change $(($(printf %s "$plain" | cksum | cut -d' ' -f1) % 3 == 0))"
done <"$folder/list" >"$folder/marked"
grep '^"' "$folder/ncu.txt" | awk -F '","' -v list="$folder/marked" "$(cat ncu.awk)"'
	BEGIN {
		while ((getline line < list) > 0)
			variant[++n_variants] = line
	}
	# Of the last five of six launches of variant v.
	function typical(v, metric) {
		return median(6 * v - 4, 1, 5, metric)
	}
	END {
		if (n != 6 * n_variants) {
			print n " launches, " n_variants " variants" >"/dev/stderr"
			exit 1
		}
		print "plain,variant,change,blocks,threads,instructions,shared_wavefronts,shared_conflicts," \
			"cycles_active,cycles_elapsed,duration_ns,cycles_first,held_back"
		for (v = 1; v <= n_variants; v++) {
			split(variant[v], word, " ")
			i = 6 * v
			print word[1] "," word[2] "," word[3] "," product(grid[i]) "," product(block[i]) "," \
				typical(v, "smsp__inst_executed.sum") "," \
				typical(v, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum") "," \
				typical(v, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") "," \
				typical(v, "sm__cycles_active.max") "," typical(v, "sm__cycles_elapsed.max") "," \
				typical(v, "gpu__time_duration.sum") "," \
				counted[6 * v - 5, "sm__cycles_active.max"] "," word[4]
		}
	}' >"$folder/variants.csv"
# Each by itself: a kernel's retries are recorded, too, and together they fill a disk.
awk '$1 == $2 {print $1}' "$folder/list" | while read -r name; do
	${CAPTURE:-../../src/gpu/capture/capture.sh} --output "$folder/raw/$name" -- ./variants "$name" 1 </dev/null
done

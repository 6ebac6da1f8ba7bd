#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Counts how busy units of this machine's GPU are in two histograms of a photograph: of one copy of the bins in a block's shared
# memory, and of eight (docs/reference/report.md, "Utilization").
#
#   utilization.sh >utilization.csv
#
# A row is a launch and a counter: the median of the last five of six launches, by Nsight Compute (ncu), with the GPU's own clock and
# warm caches. Leave the GPU to this script meanwhile.

set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

metrics=smsp__issue_active.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
metrics=$metrics,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
metrics=$metrics,smsp__inst_executed_op_shared_atom.sum
metrics=$metrics,lts__t_sectors.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,lts__t_sectors_op_red.sum
metrics=$metrics,smsp__inst_executed.sum,sm__cycles_active.max,sm__cycles_elapsed.max

cp -r Makefile ./*.h ./*.cu ../images "$folder"
make -s -C "$folder" histogram NVCCFLAGS="-O2 -lineinfo -arch=native -DMEASURE_RUNS=6"
echo copies,counter,value
for copies in 1 8; do
	(cd "$folder" && ncu --clock-control none --cache-control none --csv --metrics "$metrics" \
		./histogram images/camera.pgm 256 "$copies" cyclic 0 264 256 </dev/null 2>/dev/null) |
		grep '^"' >"$folder/rows"
	# The first row names the columns; values are without thousands' commas.
	awk -F '","' -v copies="$copies" '
	NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
	{ id = $1; gsub(/"/, "", id)
	  name = $(at["Metric Name"]); value = $(at["Metric Value"]); gsub(/[",]/, "", value)
	  if (!(id in seen)) { seen[id] = ++launches }
	  if (seen[id] > 1) rows[name] = rows[name] " " value }
	END { for (name in rows) print copies "," name "," rows[name] }' "$folder/rows" | sort |
		while IFS=, read -r of name values; do
			# shellcheck disable=SC2086 # values are words
			printf '%s,%s,%s\n' "$of" "$name" "$(printf '%s\n' $values | sort -g | sed -n 3p)"
		done
done

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures and records variants of a program whose gains were or are to be predicted from the trace of the first.
#
#   predicted.sh FOLDER PROGRAM VARIANT...          predicted.sh folder graph naive segmented staged rows
#
# FOLDER gets raw/VARIANT (raw captures), output (what the programs print) and measured.csv: each variant's only launch of four runs (by
# Nsight Compute, ncu, with the GPU's own clock; caches as the launch finds them). Leave the GPU to this script meanwhile.

set -eu
export LC_ALL=C
folder=$(mkdir -p "$1" && cd "$1" && pwd) program=$2
shift 2
cd "$(dirname "$0")"
metrics=sm__cycles_active.max,smsp__inst_executed.sum

make -s "$program"
: >"$folder/output"
for variant; do
	${CAPTURE:-sh ../../src/gpu/capture/capture.sh} --output "$folder/raw/$variant" -- \
		"./$program" "$variant" >>"$folder/output"
done
echo variant,launch,busy_cycles,instructions >"$folder/measured.csv"
for variant; do
	for run in 1 2 3 4; do
		ncu --clock-control none --cache-control none --csv --metrics "$metrics" \
			"./$program" "$variant" >"$folder/ncu.csv"
		grep -v '^"' "$folder/ncu.csv" >>"$folder/output"
		grep '^"' "$folder/ncu.csv" | awk -F '","' -v row="$variant,$run" "$(cat ncu.awk)"'
			END { print row "," counted[1, "sm__cycles_active.max"] "," \
				counted[1, "smsp__inst_executed.sum"] }' >>"$folder/measured.csv"
	done
done
rm "$folder/ncu.csv"
[ "$(grep -c '^PASS$' "$folder/output")" -eq $(($# * 5)) ]

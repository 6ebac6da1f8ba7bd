#!/bin/bash
# SPDX-License-Identifier: MIT
# Captures samples of large launches of PyTorch where the GPU is, and measures what it takes.
#
#   large.sh FOLDER [NAME:REGEX[:SHARE[:OPTIONS]]]...
#
# NAME is of traces/kernels/torch_large.py, REGEX of its kernel. For each: FOLDER/NAME.bin, the trace; .ncu.csv, what ncu counts
# of the launch; .json and .txt, the estimate; a line of FOLDER/table.csv. ATOMSIM is the program (more than one word is fine).
set -u
folder=$1
shift
here=$(cd "$(dirname "$0")/../.." && pwd)
read -r -a atomsim <<<"${ATOMSIM-atomsim}"
metrics=sm__cycles_elapsed.max,sm__cycles_active.max,gpc__cycles_elapsed.max,gpu__time_duration.sum,launch__grid_size,launch__block_size,launch__registers_per_thread,launch__occupancy_limit_blocks,launch__waves_per_multiprocessor
[ $# -gt 0 ] || set -- add:elementwise_kernel softmax:softmax_warp_forward \
	layer_norm:layer_norm_kernel sum:native13reduce_kernel transpose:elementwise_kernel \
	scatter_add:scatter_gather_elementwise_kernel
mkdir -p "$folder"
echo "name,milliseconds,capture_s,raw_bytes,trace_bytes,run_s" >"$folder/table.csv"
for row in "$@"; do
	IFS=: read -r name regex share options <<<"$row"
	program=(python3 "$here/traces/kernels/torch_large.py" "$name" "${share:-1}")
	label=$name${share:+-$share}
	out=$folder/$label
	raw=$(mktemp -d)
	"${program[@]}" 10 >"$out.events" 2>&1
	timeout 100 ncu --clock-control none --cache-control none --csv --page raw --metrics "$metrics" \
		--kernel-name-base mangled --kernel-name "regex:$regex" --launch-skip 1 --launch-count 1 "${program[@]}" >"$out.ncu.csv" 2>&1
	begin=$(date +%s.%N)
	# shellcheck disable=SC2086
	timeout 170 "${atomsim[@]}" capture ${options:---sample 8} --kernel "$regex" --launch 2 --keep "$raw/capture" \
		-o "$out.bin" -- "${program[@]}" >"$out.capture" 2>&1
	middle=$(date +%s.%N)
	timeout 120 "${atomsim[@]}" --config h200 --no-baseline --causes=no "$out.bin" >"$out.txt" 2>&1
	end=$(date +%s.%N)
	timeout 120 "${atomsim[@]}" --config h200 --no-baseline --causes=no --reproducible --format json "$out.bin" >"$out.json" 2>&1
	echo "$label,$(awk '{ t[NR] = $2 } END { print t[NR] }' "$out.events"),$(awk "BEGIN { print $middle - $begin }"),$(
		du -sb "$raw" | cut -f1),$(stat -c %s "$out.bin"),$(awk "BEGIN { print $end - $middle }")" | tee -a "$folder/table.csv"
	rm -rf "$raw"
done

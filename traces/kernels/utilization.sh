#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Counts how busy units of this machine's GPU are in two histograms of a photograph: of one copy of the bins in a block's shared
# memory, and of eight (docs/reference/report.md, "Utilization"). Each runs on all SMs, and on 16. Needs nvcc and ncu.
#
#   utilization.sh [FILE.csv]
#
# Writes FILE.csv, or utilization.csv of the folder it is called in. A row is a number of blocks, of copies, and a counter: the
# median, smallest and largest of the last five of six launches, by Nsight Compute (ncu) with the GPU's own clock and warm caches.
# A counter that this GPU or this ncu does not have has no values. Leave the GPU to this script meanwhile.

set -eu
output=${1:-utilization.csv}
case $output in
/*) ;;
*) output=$PWD/$output ;;
esac
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

shared=l1tex__data_pipe_lsu_wavefronts_mem_shared
counters="
smsp__issue_active.avg.pct_of_peak_sustained_elapsed
smsp__issue_active.avg.pct_of_peak_sustained_active
smsp__inst_executed.sum
smsp__inst_executed_op_shared_atom.sum
smsp__inst_executed_op_shared_atom_dot_alu.sum
smsp__inst_executed_op_shared_atom_dot_cas.sum
$shared.avg.pct_of_peak_sustained_elapsed
$shared.avg.pct_of_peak_sustained_active
$shared.sum
${shared}_op_ld.sum
${shared}_op_st.sum
${shared}_op_atom.sum
${shared}_op_red.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum
lts__t_sectors.avg.pct_of_peak_sustained_elapsed
lts__t_sectors.sum
lts__t_sectors_op_red.sum
lts__t_requests_op_red.sum
lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed
sm__cycles_active.max
sm__cycles_active.avg
sm__cycles_elapsed.max
"

# count COUNTERS PROGRAM...: a line "COUNTER VALUE" for each of launches 2 to 6
count()
{
	names=$1
	shift
	(cd "$folder" && ncu --clock-control none --cache-control none --print-units base --csv --metrics "$names" "$@" \
		</dev/null) >"$folder/log" 2>&1 || true
	grep -E '^==(ERROR|WARNING)==' "$folder/log" >&2 || true
	# The first row of the table names its columns.
	grep '^"' "$folder/log" | awk -F '","' '
	NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
	{ value = $(at["Metric Value"]); gsub(/[",]/, "", value)
	  name = $(at["Metric Name"])
	  if (++seen[name] > 1 && value + 0 == value) print name, value }'
}

# Counters that ncu does not know would make it count none. Where it lists none, all are asked for.
ncu --query-metrics 2>/dev/null | awk 'NF > 1 { print $1 }' >"$folder/known" || true
asked=
for counter in $counters; do
	if ! grep -q __ "$folder/known" || grep -qxF "${counter%%.*}" "$folder/known"; then
		asked=$asked${asked:+,}$counter
	fi
done

cp -r Makefile ./*.h ./*.cu ../images "$folder"
make -s -C "$folder" histogram NVCCFLAGS="-O2 -lineinfo -arch=native -DMEASURE_RUNS=6"
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | sed 1q)
for blocks in 264 16; do
	for copies in 1 8; do
		set -- ./histogram images/camera.pgm 256 "$copies" cyclic 0 "$blocks" 256
		(cd "$folder" && "$@") >"$folder/printed"
		grep -qx PASS "$folder/printed"
		count "$asked" "$@" >"$folder/values"
		if ! [ -s "$folder/values" ]; then
			for counter in $counters; do
				count "$counter" "$@"
			done >"$folder/values"
		fi
		for counter in $counters; do
			printf '%s,%s,%s,%s,%s\n' "$gpu" "$blocks" "$copies" "$counter" "$(awk -v name="$counter" \
				'$1 == name { print $2 }' "$folder/values" | sort -g |
				awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] "," value[1] "," value[NR] }')"
		done
	done
done >"$folder/rows"
{
	echo gpu,blocks,copies,counter,median,smallest,largest
	cat "$folder/rows"
} >"$output"

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures the kernels of measured.list on this machine's GPU, and records the blocks that were measured
# to be replayed: cycles by the SM's own clock, in programs that nothing else watches (measure.h).
#
#   measure.sh FOLDER
#
# FOLDER gets kernels.csv, gpu.txt (the GPU's state) and raw/NAME (raw captures); with atomsim
# at hand, or named by ATOMSIM, traces/NAME.bin too. Leave the GPU to this script meanwhile.
# measurements/h200/kernels.md of the repository tells what the columns mean.

set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"

make -s programs measured-programs
nvidia-smi -q -d CLOCK,PERFORMANCE,TEMPERATURE,POWER,ECC >"$folder/gpu.txt"

echo "trace,program,arguments,blocks,threads,shared_bytes,blocks_per_sm,step,block,runs,odd_runs,sms,\
cycles,cycles_min,cycles_max,cycles_all_blocks,launch.l2,launch.place,launch.sms" >"$folder/kernels.csv"
echo "# NAME BLOCKS PROGRAM ARGUMENTS: the blocks that were measured" >"$folder/captured.list"
grep -v '^#' measured.list | while read -r name resident program arguments; do
	# shellcheck disable=SC2086 # arguments are words
	row=$(MEASURE_BLOCKS_PER_SM=$resident "./$program.measured" $arguments |
		sed -n 's/^measured //p')
	[ -n "$row" ] || { echo "measure.sh: $program $arguments failed" >&2; exit 1; }
	echo "$name,$program,$arguments,$row,warm,median,1" >>"$folder/kernels.csv"
	step=$(echo "$row" | cut -d, -f5)
	block=$(echo "$row" | cut -d, -f6)
	echo "$name $block-$((block + step * (resident - 1))):$step $program $arguments" \
		>>"$folder/captured.list"
done
{
	echo "After the measurements:"
	nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw \
		--format=csv
	nvcc --version | tail -n 2
} >>"$folder/gpu.txt"

sh ./record.sh "$folder/captured.list" "$folder/raw"
command -v "${ATOMSIM:-atomsim}" >/dev/null 2>&1 || exit 0
mkdir -p "$folder/traces"
for raw in "$folder"/raw/*; do
	"${ATOMSIM:-atomsim}" capture --from "$raw" --output "$folder/traces/${raw##*/}.bin"
done

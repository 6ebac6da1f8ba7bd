#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures the kernels of measured.list on this machine's GPU, and records a block of each to be
# replayed: cycles of thread blocks by the SM's own clock, in programs that nothing else watches.
#
#   measure.sh FOLDER
#
# FOLDER gets kernels.csv, gpu.txt (the GPU's state) and raw/NAME (raw captures); with atomsim
# at hand, or named by ATOMSIM, traces/NAME.bin too. Leave the GPU to this script meanwhile.
# measurements/README.md of the repository tells what the columns mean.

set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"

make -s programs measured-programs
nvidia-smi -q -d CLOCK,PERFORMANCE,TEMPERATURE,POWER,ECC >"$folder/gpu.txt"

echo "trace,program,arguments,blocks,threads,shared_bytes,runs,shared_sm_runs,cycles,\
cycles_min,cycles_max,cycles_all_blocks" >"$folder/kernels.csv"
grep -v '^#' measured.list | while read -r name _ program arguments; do
	# shellcheck disable=SC2086 # arguments are words
	row=$("./$program.measured" $arguments | sed -n 's/^measured //p')
	[ -n "$row" ] || { echo "measure.sh: $program $arguments failed" >&2; exit 1; }
	echo "$name,$program,$arguments,$row" >>"$folder/kernels.csv"
done
{
	echo "After the measurements:"
	nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw \
		--format=csv
	nvcc --version | tail -n 2
} >>"$folder/gpu.txt"

sh ./record.sh measured.list "$folder/raw"
command -v "${ATOMSIM:-atomsim}" >/dev/null 2>&1 || exit 0
mkdir -p "$folder/traces"
for raw in "$folder"/raw/*; do
	"${ATOMSIM:-atomsim}" capture --from "$raw" --output "$folder/traces/${raw##*/}.bin"
done

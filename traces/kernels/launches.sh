#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Counts, measures and records whole launches on this machine's GPU: the kernels of launches.list, and
# the operations of PyTorch that torch_launch.py knows, if python3 has torch.
#
#   launches.sh FOLDER
#
# FOLDER gets launches.csv (by Nsight Compute, ncu, with the GPU's own clock and warm caches) and
# raw/NAME (raw captures). Leave the GPU to this script meanwhile. measurements/h200/counted-launches.md of the
# repository tells what the columns mean.

set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
metrics=smsp__inst_executed.sum,smsp__thread_inst_executed.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
metrics=$metrics,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
metrics=$metrics,sm__cycles_active.max,sm__cycles_elapsed.max

# count PROGRAM...: ncu's rows, as CSV
count()
{
	ncu --clock-control none --cache-control none --csv --metrics "$metrics" "$@" 2>/dev/null |
		grep '^"'
}

make -s programs
mkdir -p "$folder/counted"
grep -v '^#' launches.list | while read -r name _ program arguments; do
	# shellcheck disable=SC2086 # arguments are words
	count "./$program" $arguments >"$folder/counted/$name.csv"
done
sh ./record.sh launches.list "$folder/raw"

# Each operation runs twice; the second time counts, and is captured.
if python3 -c "import torch" 2>/dev/null; then
	sed -n 's/^    "\([a-z_]*\)": .*/\1/p' torch_launch.py | while read -r operation; do
		counted=$folder/counted/torch-$operation.csv
		count python3 torch_launch.py "$operation" >"$counted"
		n=$(cut -d'"' -f2 "$counted" | sort -un | tail -n 1)
		first=$(((n + 1) / 2 + 1))
		${CAPTURE:-../../src/capture/capture.sh} --output "$folder/raw/torch-$operation" \
			--launch "$first-$((n + 1))" -- python3 torch_launch.py "$operation"
	done
fi
sh ./launches-csv.sh "$folder/counted" >"$folder/launches.csv"

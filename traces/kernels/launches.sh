#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Counts, measures and records whole launches on this machine's GPU: the kernels of launches.list, and
# the operations of PyTorch that torch_launch.py knows, if python3 has torch.
#
#   launches.sh FOLDER
#
# FOLDER gets launches.csv, fresh.csv, later.csv and unseen.csv (by Nsight Compute, ncu, with the GPU's own clock and warm caches) and
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

# split TABLE FOLDER NAME...: the rows of a table behind each launch that only sleeps, into files of their own
split()
{
	table=$1 to=$2
	shift 2
	awk -F '","' -v to="$to" -v names="$*" '
	BEGIN { split(names, name, " ") }
	/spin_kernel/ { if ($1 != last) n++; last = $1; next }
	n > 0 { print >(to "/torch-" name[n] ".csv") }' "$table"
}

# operations NAME: those of a table of torch_launch.py
operations()
{
	sed -n "/^$1 = /,/^}/s/^    \"\([a-z0-9_]*\)\": .*/\1/p" torch_launch.py
}

make -s programs algorithms
# The same programs, whose kernels run six times.
rm -rf "$folder/again"
mkdir -p "$folder/again"
cp -r Makefile ./*.h ./*.cu ../images "$folder/again"
sed 's|\.\./images|images|g' launches.list >"$folder/again/launches.list"
make -s -C "$folder/again" programs NVCCFLAGS="-O2 -lineinfo -arch=native -DMEASURE_RUNS=6"
mkdir -p "$folder/counted" "$folder/fresh" "$folder/later" "$folder/unseen"
grep -v '^#' "$folder/again/launches.list" | while read -r name _ program arguments; do
	# shellcheck disable=SC2086 # arguments are words
	(cd "$folder/again" && count "./$program" $arguments </dev/null) >"$folder/counted/$name.csv"
done
sh ./record.sh launches.list "$folder/raw"
sed -n -e 's/.*is("\([a-z-]*\)").*/fresh \1/p' -e '/of later-launches.csv/q' algorithms.cu >"$folder/algorithms.list"
sed -n -e '1,/of later-launches.csv/d' -e 's/.*is("\([a-z-]*\)").*/later \1/p' -e '/of unseen-launches.csv/q' \
	algorithms.cu >>"$folder/algorithms.list"
sed -n -e '1,/of unseen-launches.csv/d' -e 's/.*is("\([a-z0-9-]*\)").*/unseen \1/p' algorithms.cu >>"$folder/algorithms.list"
while read -r list name; do
	count ./algorithms "$name" 6 </dev/null >"$folder/$list/cub-$name.csv"
	${CAPTURE:-../../src/gpu/capture/capture.sh} --output "$folder/raw/cub-$name" -- ./algorithms "$name" 2 </dev/null
done <"$folder/algorithms.list"

# Each operation is counted six times, and its second run captured.
if python3 -c "import torch" 2>/dev/null; then
	for table in OPERATIONS:all:counted HELD_BACK:held-back:fresh LATER:later:later UNSEEN:unseen:unseen; do
		to=$folder/${table##*:} list=${table%%:*} which=${table#*:}
		count python3 torch_launch.py "${which%:*}" 6 >"$folder/$list.csv"
		# shellcheck disable=SC2046 # names are words
		split "$folder/$list.csv" "$to" $(operations "$list")
		for operation in $(operations "$list"); do
			rows=$(cut -d'"' -f2 "$to/torch-$operation.csv" | sort -u | wc -l)
			n=$((rows / 6))
			${CAPTURE:-../../src/gpu/capture/capture.sh} --output "$folder/raw/torch-$operation" \
				--launch "$((rows % 6 + n + 1))-$((rows % 6 + 2 * n))" -- \
				python3 torch_launch.py "$operation"
		done
	done
fi
sh ./launches-csv.sh "$folder/counted" 6 1 held-back.list >"$folder/launches.csv"
sh ./launches-csv.sh "$folder/fresh" 6 1 >"$folder/fresh.csv"
sh ./launches-csv.sh "$folder/later" 6 1 >"$folder/later.csv"
sh ./launches-csv.sh "$folder/unseen" 6 1 >"$folder/unseen.csv"

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes launches.csv of the tables that ncu printed: launches-csv.sh COUNTED RUNS SKIP [HELD], a folder with
# NAME.csv of RUNS runs each, of which the first SKIP do not count; each figure is the median of the others.
# Launches before the first run that are no multiple of RUNS prepare it and are passed over. Of several
# launches a run, NAME.1, NAME.2, ... are told, as their traces are named. HELD is the list of rows that are held
# back from every fit (held-back.list); without it all are. What does not count was run before, so the L2 is warm (launch.l2).

set -eu
export LC_ALL=C
folder=$(cd "$1" && pwd) runs=$2 skip=$3 held=${4:+$(realpath "$4")}
cd "$(dirname "$0")"
echo "trace,program,arguments,kernel,blocks,threads,instructions,thread_instructions,\
shared_wavefronts,shared_conflicts,cycles_active,cycles_elapsed,cycles_first,held_back,launch.l2"
for table in "$folder"/*.csv; do
	name=$(basename "$table" .csv)
	case $name in
	torch-*) words="torch ${name#torch-}" ;;
	cub-*) words="algorithms ${name#cub-}" ;;
	*) words=$(sed -n "s/^$name [^ ]* //p" launches.list) ;;
	esac
	[ -n "$words" ] || continue
	awk -F '","' -v name="$name" -v words="$words" -v runs="$runs" -v skip="$skip" "$(cat ncu.awk)"'
	# at::native::f<int>(x) -> f
	function short_name(text) {
		sub(/^void /, "", text)
		gsub(/<unnamed>::|\(anonymous namespace\)::/, "", text)
		sub(/[<(].*/, "", text)
		sub(/.*::/, "", text)
		return text
	}
	# Of the runs of launch i that count.
	function typical(i, metric) {
		return median(first + skip * launches + i, launches, runs - skip, metric)
	}
	END {
		program = words
		sub(/ .*/, "", program)
		arguments = words
		sub(/^[^ ]* ?/, "", arguments)
		launches = int(n / runs)
		first = n - runs * launches
		# What prepares may be more than a run has launches: a run begins with the same kernel.
		while (launches > 1 && kernel[first + 1] != kernel[first + launches + 1]) {
			launches--
			first = n - runs * launches
		}
		for (i = 1; i <= launches; i++)
			print name (launches > 1 ? "." i : "") "," program "," arguments "," \
			      short_name(kernel[first + i]) "," product(grid[first + i]) "," \
			      product(block[first + i]) "," typical(i, "smsp__inst_executed.sum") "," \
			      typical(i, "smsp__thread_inst_executed.sum") "," \
			      typical(i, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum") "," \
			      typical(i, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum") "," \
			      typical(i, "sm__cycles_active.max") "," typical(i, "sm__cycles_elapsed.max") "," \
			      counted[first + i, "sm__cycles_active.max"]
	}' "$table"
done | sort -t, -k1,1 | awk -F, -v held="$held" '
	BEGIN { while (held != "" && (getline line < held) > 0) back[line] = 1 }
	{ print $0 "," (held == "" || $1 in back) + 0 ",warm" }'

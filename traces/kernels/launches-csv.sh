#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes launches.csv of the tables that ncu printed: launches-csv.sh COUNTED, a folder with NAME.csv.
# Called by launches.sh. Of PyTorch's operations the second half of the launches is told, named
# NAME.1, NAME.2, ... as their traces are. Every third row is held back from every fit.

set -eu
export LC_ALL=C
cd "$(dirname "$0")"
echo "trace,program,arguments,kernel,blocks,threads,instructions,thread_instructions,\
shared_wavefronts,shared_conflicts,cycles_active,cycles_elapsed,held_back"
for table in "$1"/*.csv; do
	name=$(basename "$table" .csv)
	case $name in
	torch-*) words="torch ${name#torch-}" ;;
	*) words=$(sed -n "s/^$name [^ ]* //p" launches.list) ;;
	esac
	[ -n "$words" ] || continue
	awk -F '","' -v name="$name" -v words="$words" '
	$1 == "\"ID" { next }
	{
		id = substr($1, 2) + 0
		kernel[id] = $5
		block[id] = $8
		grid[id] = $9
		value = $15
		gsub(/[",]/, "", value)
		counted[id, $13] = value
		n = id + 1
	}
	function product(text,   parts) {
		gsub(/[() ]/, "", text)
		split(text, parts, ",")
		return parts[1] * parts[2] * parts[3]
	}
	# at::native::f<int>(x) -> f
	function short_name(text) {
		sub(/^void /, "", text)
		gsub(/<unnamed>::|\(anonymous namespace\)::/, "", text)
		sub(/[<(].*/, "", text)
		sub(/.*::/, "", text)
		return text
	}
	END {
		program = words
		sub(/ .*/, "", program)
		arguments = words
		sub(/^[^ ]* ?/, "", arguments)
		first = program == "torch" ? int(n / 2) : 0
		for (id = first; id < n; id++)
			print name (n - first > 1 ? "." (id - first + 1) : "") "," program "," \
			      arguments "," short_name(kernel[id]) "," product(grid[id]) "," \
			      product(block[id]) "," counted[id, "smsp__inst_executed.sum"] "," \
			      counted[id, "smsp__thread_inst_executed.sum"] "," \
			      counted[id, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"] "," \
			      counted[id, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"] "," \
			      counted[id, "sm__cycles_active.max"] "," \
			      counted[id, "sm__cycles_elapsed.max"]
	}' "$table"
done | sort -t, -k1,1 | awk '{ print $0 "," (NR % 3 == 2) }'

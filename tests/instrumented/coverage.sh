#!/bin/bash
# SPDX-License-Identifier: MIT
# What of src/ the tests have run, after `make check` in a build with --enable-coverage: a line a file, and
# then the lines that nobody reached, by the reasons of unreached.txt; those without one come last.
# usage: coverage.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
cd "$build" || exit 1

# "FILE LINE COUNT TEXT" of each line that has code; a file that is compiled twice has the larger count.
find src -name '*.gcda' -print0 | xargs -0 -n 1 gcov -t -r -s "$here/../.." 2>/dev/null |
	awk -F: '
		$2 ~ /^ *0$/ && $3 == "Source" { file = $4; sub(/^.*\.\.\//, "", file); next }
		$2 ~ /^ *0$/ || file !~ /^src\// { next }
		{
			count = $1; gsub(/[ *]/, "", count)
			if (count == "-") next
			line = $2 + 0; text = $0; sub(/^[^:]*:[^:]*:/, "", text); gsub(/\t/, " ", text)
			key = file "\t" line
			if (count ~ /^[#=]/) count = 0
			if (!(key in counts) || count + 0 > counts[key]) counts[key] = count + 0
			texts[key] = text
		}
		END { for (key in counts) print key "\t" counts[key] "\t" texts[key] }' |
	sort -t "$(printf '\t')" -k 1,1 -k 2,2n >lines.coverage

awk -F '\t' '
	{ n[$1]++; if ($3 > 0) run[$1]++; all++; if ($3 > 0) all_run++ }
	END {
		for (file in n) printf "%6.1f %% of %5d lines  %s\n", 100 * run[file] / n[file], n[file], file | "sort -n"
		close("sort -n")
		printf "%6.1f %% of %5d lines  all\n", 100 * all_run / all, all
	}' lines.coverage

# The reason of a line is the first whose pattern matches "FILE:TEXT".
awk -F '\t' -v reasons="$here/unreached.txt" '
	BEGIN {
		while ((getline row < reasons) > 0)
			if (row !~ /^(#|$)/) {
				split(row, part, "\t")
				pattern[++n_reasons] = part[1]
				reason[n_reasons] = part[2]
			}
	}
	$3 == 0 {
		found = 0
		for (i = 1; i <= n_reasons && !found; i++)
			if ($1 ":" $4 ~ pattern[i]) found = i
		n[found]++
		list[found] = list[found] sprintf("  %s:%d:%s\n", $1, $2, $4)
	}
	END {
		for (i = 1; i <= n_reasons; i++)
			if (n[i]) printf "\n%d lines not reached: %s\n%s", n[i], reason[i], list[i]
		if (n[0]) printf "\n%d lines not reached, without a reason\n%s", n[0], list[0]
	}' lines.coverage

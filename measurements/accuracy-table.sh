#!/bin/bash
# SPDX-License-Identifier: MIT
# Errors by kernel class of all held-out points, as rows of a Markdown table.
#
#   accuracy-table.sh CSV [PAGE]
#
# CSV is plots/accuracy.csv. With PAGE the rows of its table that begins with "| held out |" are replaced, else they are printed.
set -e -o pipefail
export LC_ALL=C
csv=$1 page=${2-}

rows() {
	tail -n +2 "$csv" | awk -F, -v OFS=, '
		{
			error = $4 / $3 - 1
			print $1, $2, error < 0 ? -error : error
		}' | sort -t, -k3,3g | awk -F, '
		function percent(x) { return sprintf(x < 0.0995 ? "%.1f" : "%.0f", 100 * x) " %" }
		function commas(n) { return n < 1000 ? n : int(n / 1000) "," sprintf("%03d", n % 1000) }
		function add(key) { error[key, ++number[key]] = $3; sum[key] += $3 }
		function row(key, label,   n) {
			n = number[key]
			if (n)
				printf "| %s | %s | %s | %s | %s | %s |\n", label, commas(n),
					percent((error[key, int((n + 1) / 2)] + error[key, int(n / 2) + 1]) / 2), percent(sum[key] / n),
					percent(error[key, int((9 * n + 9) / 10)]), percent(error[key, n])
		}
		{ add($1 == "programs" && $2 == "no class" ? "unstated" : $1) }
		$1 == "programs" && $2 != "no class" { gsub(/;/, ",", $2); add("of " $2) }
		$1 == "gain" { add($2) }
		END {
			row("kernels", "kernels on one SM: histograms, scans, transposes, k-means, hash table")
			row("launches", "launches of PyTorch, CUB and Thrust, and of kernels of ours")
			row("programs", "**third-party programs** (HeCBench, CUDA Samples, moderngpu, llm.c) whose reports state an expected error")
			row("of atomics on shared memory", "of these, atomics on shared memory")
			row("of atomics on global memory alone", "of these, atomics on global memory alone")
			row("of more blocks than SMs", "of these, more blocks than SMs")
			row("of no atomics, many bank conflicts", "of these, no atomics, many bank conflicts")
			row("of no atomics, little global memory, 2,000 cycles or more", "of these, no atomics, little global memory, 2,000 cycles or more")
			row("of no atomics, little global memory, under 2,000 cycles", "of these, the same, under 2,000 cycles")
			row("of no atomics, much global memory, 2,000 cycles or more", "of these, no atomics, much global memory, 2,000 cycles or more")
			row("of no atomics, much global memory, under 2,000 cycles", "of these, the same, under 2,000 cycles")
			row("unstated", "third-party programs whose reports state none: textures, managed memory, operations that are missing")
			row("older-programs", "third-party programs of eight suites, by the model of 23 November 2026")
			row("generated", "launches without a capture: traces of generators")
			row("shared-locks", "spin locks in shared memory, micro-benchmarks")
			row("global-locks", "spin locks in global memory, micro-benchmarks of one SM")
			row("warp-sync", "synchronization of groups of lanes, micro-benchmarks")
			row("global-atomics", "atomics on global memory, micro-benchmarks")
			row("global-loads", "loads from global memory, micro-benchmarks")
			row("gains.csv", "gains of what-ifs: copies and padding")
			row("variants.csv", "gains of what-ifs: changes that `advise` knows")
		}'
}

if [ -z "$page" ]; then
	rows
	exit
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
rows >"$new.rows"
awk -v rows="$new.rows" '
	/^\| held out \|/ { table = 1; print; next }
	table == 1 { print; while ((getline line <rows) > 0) print line; table = 2; next }
	table == 2 && /^\|/ { next }
	{ table = 0; print }' "$page" >"$new"
rm "$new.rows"
cat "$new" >"$page"

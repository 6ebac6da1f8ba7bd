#!/bin/bash
# SPDX-License-Identifier: MIT
# What `make fidelity` needs hours of a slow machine for, in seconds: its programs run, and plots/claims.md is the table of claims by
# the shipped CSVs, with the verdicts that are expected.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

# The mean over a cell's patterns of one warp: V = 1,024 random words, one copy.
"$BUILD/plots/patterns" 400000 >"$work/patterns.csv" 2>"$work/errors"
awk -F, '
	$1 == "random" && $2 == "cyclic" && $3 == 0 && $4 == 1024 && $5 == 1 { cycles[FILENAME] = $7 }
	END {
		for (file in cycles) print file, cycles[file]
		shipped = cycles[ARGV[2]]
		exit !(shipped > 0 && cycles[ARGV[1]] / shipped > 0.98 && cycles[ARGV[1]] / shipped < 1.02)
	}' "$work/patterns.csv" "$SOURCE/plots/patterns.csv" >>"$work/errors" && result=ok || result=not_ok
$result "random patterns by Algorithm 1 are what is shipped, within what chance leaves" "$work/errors"

"$BUILD/tests/fidelity/engine" 5000 >"$work/engine.csv" 2>&1 && result=ok || result=not_ok
$result "the engine gives Algorithm 1's latency" "$work/engine.csv"

bash "$SOURCE/tests/fidelity/claims.sh" "$SOURCE/plots" >"$work/claims.md" 2>&1 && result=ok || result=not_ok
grep -E 'FALSE|CHANGED' "$work/claims.md" >"$work/changed"
$result "every claim has the verdict that is expected" "$work/changed"

diff -u --label plots/claims.md --label "by plots/*.csv" "$SOURCE/plots/claims.md" "$work/claims.md" >"$work/diff" && result=ok || result=not_ok
$result "the shipped table of claims is that of the shipped CSVs (make -C build claims)" "$work/diff"

done_testing

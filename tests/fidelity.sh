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

sed -n '/^| held out |/,/^$/ { /^| held out |/d; /^| ---/d; /^$/d; p }' "$SOURCE/docs/accuracy.md" >"$work/page"
bash "$SOURCE/measurements/accuracy-table.sh" "$SOURCE/plots/accuracy.csv" >"$work/table" 2>"$work/errors"
diff -u --label docs/accuracy.md --label "by plots/accuracy.csv" "$work/page" "$work/table" >"$work/diff" && [ -s "$work/table" ] && result=ok || result=not_ok
$result "the errors on docs/accuracy.md are those of plots/accuracy.csv (make -C build accuracy)" "$work/diff"

# Rows of a page with the errors of files: ten points off by 1 to 10 %, two of them held out, and three of loads.
mkdir "$work/pages" "$work/files"
cat >"$work/validate" <<'END'
#!/bin/bash
echo file,line,operation,pattern,measured_cycles,simulated_cycles,error,unit,held_back,verdict
for i in 1 2 3 4 5 6 7 8 9 10; do
	echo "x.csv,$i,$([ $i -gt 3 ] && echo red || echo ld_cg),p,100,90,-0.0$i,cycles,$((i > 8)),"
done | sed s/0\.010/0.10/
END
chmod +x "$work/validate"
# shellcheck disable=SC2016 # Markdown's own
printf '| `x.csv`%s | | | | | | kept |\n' '' ', held out' ', `ld_cg`' ', atomics' >"$work/pages/a.md"
cat >"$work/expected" <<'END'
| `x.csv` | 10 | 5.5 | 5.5 | 9.0 | 10.0 | kept |
| `x.csv`, held out | 2 | 9.5 | 9.5 | 10.0 | 10.0 | kept |
| `x.csv`, `ld_cg` | 3 | 2.0 | 2.0 | 3.0 | 3.0 | kept |
| `x.csv`, atomics | 7 | 7.0 | 7.0 | 10.0 | 10.0 | kept |
END
ATOMSIM=$work/validate bash "$SOURCE/measurements/errors-page.sh" h200 "$work/files" "$work/pages" "$work/kept" x >"$work/said" 2>&1
diff -u "$work/expected" "$work/pages/a.md" >"$work/diff" && result=ok || result=not_ok
$result "rows of a page get the errors of the files that they name" "$work/diff"

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# Every held-out point of the H200: measured against predicted. `make accuracy` (a quarter of an hour) runs it, accuracy.gp draws it,
# measurements/accuracy-table.sh sums it up. Cycles, but of the class `gain` (gains.csv, and advice.csv) how many times as fast a changed kernel is.
# Columns: class,source,measured,predicted. Not in it: locks.csv, whose rows take minutes (make validate-global).
set -eu -o pipefail
export LC_ALL=C
SOURCE=${SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
ATOMSIM=${ATOMSIM:-atomsim}
export ATOMSIM
measurements=$SOURCE/measurements
folder=$measurements/h200

# points CLASS WHICH FILE...: times of held-out points: those that the file marks (WHICH: marked), or of a file that is held out as a whole, all
points() {
	local class=$1 which=$2 file
	shift 2
	for file; do
		"$ATOMSIM" validate --config h200 --format csv "$folder/$file.csv" |
			awk -F, -v OFS=, -v which="$which" -v class="$class" -v source="$(basename "$file")" '
				NR == 1 || (which == "marked" && $(NF - 1) != 1) || $3 == "instructions" || $3 == "conflicts" { next }
				{ name = class }
				class == "locks" { name = ($4 ~ /^"?shared/ ? "shared" : "global") "-locks" }
				{ print name, source, $(NF - 5), $(NF - 4) }'
	done
}

# Third-party programs have no traces here: their cycles are those of their last replay.
# programs CLASS FILE FIRST: from that third on
programs() {
	awk -F, -v OFS=, -v name="$1" -v first="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["third"] >= first && $column["busy_cycles"] != "" && $column["cycles_active"] > 0 {
			class = $column["class"] == "" ? "no class" : $column["class"]
			print name, class, $column["cycles_active"], $column["busy_cycles"]
		}' "$folder/$2.csv"
}

gains() {
	awk -F, -v OFS=, 'NR > 1 { print "gain", "gains.csv", $(NF - 1), $NF }' "$SOURCE/plots/gains.csv"
	awk -F, -v OFS=, '
		$1 == "pair" && $NF == 1 && $(NF - 2) != "" && $(NF - 1) != "-" { print "gain", "variants.csv", $(NF - 4), $(NF - 2) }' "$folder/advice.csv"
}

echo class,source,measured,predicted
points kernels marked kernels
points launches marked counted-launches fresh-launches later-launches unseen-launches
programs programs corpus-fourth 2
programs programs corpus-fifth 2
programs programs corpus-sixth 0
programs programs corpus-seventh 1
programs older-programs corpus 1
points generated marked launches
points locks marked issue/issue-locks issue/issue-locks-sections
points warp-sync marked issue/issue-warp-sync
points global-atomics marked l2/l2-warp-words
points global-atomics all global-atomics-held global-atomics-other global-atomics-fresh global-atomics-unseen global-atomics-drawn \
	global-atomics-drawn-again global-atomics-drawn-anew global-atomics-factors-third
points global-loads all global-loads-third global-loads-drawn global-loads-drawn-again
gains

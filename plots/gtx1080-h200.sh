#!/bin/bash
# SPDX-License-Identifier: MIT
# The same update step of k-means on an H200, measured by us (measurements/h200/locks.csv), and simulated where it takes
# seconds: from 64 clusters on. Two programs differ: all threads of a block write its sums back here. By hand:
# atomsim validate --config h200.json measurements/h200/locks.csv
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

measured=$SOURCE/measurements/h200/locks.csv
# shellcheck disable=SC2016 # awk's
form='$1 ~ /^[gs]m-[cd]l$/ && $2 == 5000 && $3 == 32'
echo algorithm,clusters,measured_us,simulated_us
awk -F, "$form"' && $4 < 64 { printf "%s,%d,%.1f,\n", $1, $4, $5 / 1980 }' "$measured"
awk -F, "NR == 1 || ($form"' && $4 >= 64)' "$measured" >"$traces/locks.csv"
"$ATOMSIM" validate --config h200.json --format csv "$traces/locks.csv" |
	awk -F'[,/]' 'NR > 1 {
		# file and line, operation, pattern "n 5000 d 32 k 64", its variant, cycles
		for (i = 1; i <= NF; i++) if ($i ~ /^n 5000 /) break
		n = split($i, words, " ")
		printf "%s,%s,%.1f,%.1f\n", $(i + 1), words[n], $(i + 2) / 1980, $(i + 3) / 1980
	}'

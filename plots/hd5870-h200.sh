#!/bin/bash
# SPDX-License-Identifier: MIT
# The paper's copy, micro-benchmarks and scalar product as CUDA programs on an H200, measured by us
# (measurements/h200/launches.csv: blocks of 256 threads), and simulated. By hand:
# atomsim validate --config h200.json measurements/h200/launches.csv
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

awk -F, 'NR == 1 || $1 == "apps"' "$SOURCE/measurements/h200/launches.csv" >"$traces/launches.csv"
echo application,x,measured_us,simulated_us
"$ATOMSIM" validate --config h200.json --format csv "$traces/launches.csv" |
	awk -F, 'NR > 1 {
		# "apps micro1/2 256": the form, and blocks; of a product behind them the rows
		split($4, part, /[ \/]/)
		printf "%s,%d,%.3f,%.3f\n", part[2], part[2] == "matmul" ? part[5] : part[3], $5 / 1980, $6 / 1980
	}'

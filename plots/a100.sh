#!/bin/bash
# SPDX-License-Identifier: MIT
# The article's tables on the simulated A100, as `atomsim validate` reads them, and the adds to m words on the H200
# beside what we measured there. Scans are of a quarter of the article's elements and have a row of their own, for
# ratios. By hand: atomsim validate --config a100.json measurements/a100/published.csv
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# validate GPU FILE: a row a figure
validate() {
	"$ATOMSIM" validate --config "$1.json" --format csv "$2" |
		awk -F, -v gpu="$1" 'NR > 1 { sub(/^.*\//, "", $4); print gpu "," $4 "," $8 "," $5 "," $6 "," $9 "," $10 }'
}

echo gpu,figure,unit,published,simulated,held_back,verdict
# Whole scans take minutes: four blocks of sums and one more behind a quarter of the elements.
sed -e 's/16777216+16384+16+16384+16777216/4194304+4096+4+4096+4194304/' -e '/^scan-[a-z]*-time/s/,ms,eq,0.4,/,ms,eq,,/' \
	"$SOURCE/measurements/a100/published.csv" >"$traces/published.csv"
validate a100 "$traces/published.csv"
validate h200 "$SOURCE/measurements/h200/article.csv"

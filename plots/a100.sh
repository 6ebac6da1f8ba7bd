#!/bin/bash
# SPDX-License-Identifier: MIT
# The article's tables on the simulated A100, as `atomsim validate` reads them; its adds to m words and its naive histogram on
# a100-article.json, of which two constants are fitted to these adds; captured launches of CUB's histogram, of another size than
# the article's; and the adds on the H200 beside what we measured there. By hand: atomsim validate --config a100.json
# measurements/a100/published.csv
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# validate GPU FILE: a row a figure
validate() {
	"$ATOMSIM" validate --config "$1.json" --format csv "$2" |
		awk -F, -v gpu="$1" 'NR > 1 { sub(/^.*\//, "", $4); print gpu "," $4 "," $8 "," $5 "," $6 "," $9 "," $10 }'
}

echo gpu,figure,unit,published,simulated,held_back,verdict
# The scans take minutes.
validate a100 "$SOURCE/measurements/a100/published.csv" >"$traces/a100.csv" &
grep -E '^(id|atomics-|histogram-global-time)' "$SOURCE/measurements/a100/published.csv" >"$traces/published.csv"
validate a100-article "$traces/published.csv" >"$traces/article.csv"
wait $!
cat "$traces/a100.csv" "$traces/article.csv"
for launch in unseen-launches/cub-histogram-32 fresh-launches/cub-histogram-range; do
	"$ATOMSIM" run --config a100.json --no-baseline --reproducible --format csv "$SOURCE/measurements/h200/$launch.2.bin" |
		columns time_us | awk -v name="${launch#*/}" '{ printf "a100,%s,us,,%.4g,,\n", name, $1 }'
done
validate h200 "$SOURCE/measurements/h200/article.csv"

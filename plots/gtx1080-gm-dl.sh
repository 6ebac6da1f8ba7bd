#!/bin/bash
# SPDX-License-Identifier: MIT
# What GM-DL's time consists of, in the update of 5,000 points with 2,048 clusters on the simulated GTX 1080: its cycles, what its
# two launches cost, and the run with one thing at a time that costs nothing.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

"$ATOMSIM" gen kmeans-update --algorithm gm-dl --points 5000 --clusters 2048 --dimensions 32 -o "$traces/update.bin"
"$ATOMSIM" gen kmeans-update --kernel normalize --points 5000 --clusters 2048 --dimensions 32 -o "$traces/normalize.bin"
echo part,cycles
"$ATOMSIM" run --config gtx1080.json --no-baseline --reproducible --sequence --format csv "$traces/update.bin" "$traces/normalize.bin" |
	awk -F, 'NR == 2 { printf "both kernels,%d\nlaunches in us,%s\n", $2, $3 }'
"$ATOMSIM" run --config gtx1080.json --reproducible --format json "$traces/update.bin" |
	grep -oE '("cycles":[0-9]+|"cause":"[a-z0-9_]*","cycles":[0-9]+)' |
	awk -F'[:",]+' '$2 == "cycles" && !n++ { print "update," $3 } $2 == "cause" { print "without " $3 "," $5 }'

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Joins what `active` prints of its launches with how long Nsight Compute (ncu) counted the busiest SM
# and the whole GPU for each: active.sh PROGRAM > active.csv
set -eu
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
ncu --clock-control none --cache-control none --csv --metrics \
	sm__cycles_active.max,sm__cycles_active.min,sm__cycles_elapsed.max "$1" >"$rows" 2>/dev/null
awk -F '","' '
	/^[a-z]+,[0-9a-z]+,/ { row[n_rows++] = $0; next }
	/^"[0-9]/ {
		id = substr($1, 2) + 0
		value = $15
		gsub(/[",]/, "", value)
		counted[id, $13] = value
	}
	END {
		print row[0] ",active_max,active_min,elapsed"
		for (i = 1; i < n_rows; i++)
			print row[i] "," counted[i - 1, "sm__cycles_active.max"] "," \
			      counted[i - 1, "sm__cycles_active.min"] "," \
			      counted[i - 1, "sm__cycles_elapsed.max"]
	}' "$rows"

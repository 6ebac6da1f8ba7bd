#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Joins what a program prints of its launches, a row each, with what Nsight Compute (ncu) counted for them: how long the
# busiest SM and the whole GPU were busy, or the COUNTERS that are named. Launches of kernels called `flush` have no row.
#   active.sh "PROGRAM [ARGUMENT]..." [COUNTER...] > active.csv
set -eu
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
program=$1
shift
[ $# -gt 0 ] || set -- sm__cycles_active.max sm__cycles_active.min sm__cycles_elapsed.max
# shellcheck disable=SC2086 # the program with its arguments
ncu --clock-control none --cache-control none --csv --metrics "$(echo "$*" | tr ' ' ,)" \
	$program >"$rows" 2>/dev/null
awk -F '","' -v names="$*" '
	BEGIN { n_names = split(names, name, " ") }
	/^[a-z][a-z0-9]*,/ { row[n_rows++] = $0; next }
	/^"[0-9]/ && $5 !~ /^flush/ {
		if ($1 != last)
			n++
		last = $1
		value = $15
		gsub(/[",]/, "", value)
		counted[n, $13] = value
	}
	END {
		for (i = 0; i < n_rows; i++) {
			line = row[i]
			for (k = 1; k <= n_names; k++) {
				column = name[k]
				sub(/^[a-z0-9]*__/, "", column)
				line = line "," (i == 0 ? column : counted[i, name[k]])
			}
			print line
		}
	}' "$rows"

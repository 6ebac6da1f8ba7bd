#!/bin/bash
# SPDX-License-Identifier: MIT
# k-means under locks, a row at a time: most take a second, the longest, of few locks in global memory, three minutes.
#
#   locks.sh CONFIG FILE [SECONDS]
#
# FILE is locks.csv, SECONDS the most that a row may take (600). ATOMSIM is the program. Prints each row as `validate` does,
# or that it did not end, then how many did and how good they are.
set -e -o pipefail
export LC_ALL=C
config=$1 file=$2 seconds=${3-600} atomsim=${ATOMSIM-atomsim}
row=$(mktemp --suffix=.csv)
trap 'rm -f "$row"' EXIT

rows() {
	local line status
	tail -n +2 "$file" | while read -r line; do
		{ head -n 1 "$file"; echo "$line"; } >"$row"
		status=0
		timeout "$seconds" "$atomsim" validate --config "$config" --format csv "$row" | tail -n +2 || status=$?
		[ "$status" -ne 124 ] || echo "- did not end in $seconds s: $line"
		[ "$status" -eq 0 ] || [ "$status" -eq 124 ] || return "$status"
	done
}

rows | awk -F, '
	{ print }
	/^-/ { late++; next }
	{
		error = $7 < 0 ? -$7 : $7
		for (i = ++n; i > 1 && off[i - 1] > error; i--)
			off[i] = off[i - 1]
		off[i] = error
		sum += error
		good += error <= 0.2
	}
	END {
		if (n)
			printf "%d rows end in time: median %.1f %%, mean %.1f %%, maximum %.1f %%, %d within 20 %%; %d do not end\n",
			       n, 50 * (off[int((n + 1) / 2)] + off[int(n / 2) + 1]), 100 * sum / n, 100 * off[n], good, late
	}'

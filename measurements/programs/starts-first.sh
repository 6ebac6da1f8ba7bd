#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The first twelve launches of a process that launches one kernel of `starts`, a process for each kernel and shape. The first eight
# find their parameters in new memory (launch.parameters).
#   starts-first.sh STARTS > starts-first.csv
set -eu
here=$(dirname "$0")
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
first=1
for kernel in none common both bound parameters; do
	for shape in "1 32" "1 256" "1 1024" "33 256" "66 32" "66 256" "132 32" "132 256" \
		"132 1024" "264 512" "264 1024"; do
		sh "$here/active.sh" "$1 $kernel $shape" >"$rows"
		if [ "$(wc -l <"$rows")" -ne 13 ] || grep -q ',,' "$rows"; then
			echo "starts-first.sh: $kernel $shape: not all of 12 launches were counted" >&2
			exit 1
		fi
		tail -n "+$first" "$rows" | awk -F, '{
			state = $7 < 8 ? "cold" : "warm"
			print $0 "," ($7 == "launch" ? "launch.parameters,form" : state ",starts")
		}'
		first=2
	done
done

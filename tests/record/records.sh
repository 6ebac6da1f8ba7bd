#!/bin/bash
# SPDX-License-Identifier: MIT
# What each warp of a trace accessed, a record a line: lanes, operations, addresses and operands; without what lies between
# two records, numbers of sites, and hints of loads. Addresses in shared memory count from the lowest.
# usage: records.sh TRACE    ATOMSIM: the program
set -eu
[ $# -eq 1 ] || { sed -n '5p' "$0" >&2; exit 2; }
"${ATOMSIM:-atomsim}" trace dump "$1" | sed -E '/ code gap=/d; s/ (record|site|cache)=[^ ]*//g' | awk '
	{ line[NR] = $0; shared[NR] = / (lds|sts|atom\.)/ }
	shared[NR] {
		n = split(addresses_of($0), list, ",")
		for (i = 1; i <= n; i++)
			if (!found || list[i] + 0 < low) { low = list[i] + 0; found = 1 }
	}
	function addresses_of(text) { sub(/.* addresses=/, "", text); sub(/ .*/, "", text); return text }
	END {
		for (k = 1; k <= NR; k++) {
			if (shared[k]) {
				old = addresses_of(line[k]); new = ""
				n = split(old, list, ",")
				for (i = 1; i <= n; i++) new = new (i > 1 ? "," : "") list[i] - low
				at = index(line[k], " addresses=" old)
				line[k] = substr(line[k], 1, at + 10) new substr(line[k], at + 11 + length(old))
			}
			print line[k]
		}
	}'

#!/bin/bash
# SPDX-License-Identifier: MIT
# From plain kernels' traces alone, their measured variants are foretold; and what `advise` says of
# that (known_errors in src/explore/advise/candidates.c) is no better than it is.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
export ATOMSIM

bash "$SOURCE/measurements/what-if.sh" h200.json "$SOURCE/measurements/h200" >"$work/table" 2>"$work/stderr" ||
	not_ok "the table can be made" "$work/stderr"

# at_most NAME NUMBER LIMIT
at_most() {
	if [ -n "$2" ] && awk -v n="$2" -v most="$3" 'BEGIN { exit n > most }'; then
		ok "$1"
	else
		{ echo "found '$2', allowed up to $3"; cat "$work/table"; } >"$work/why"
		not_ok "$1" "$work/why"
	fi
}

# errors CHANGE: the sizes of the errors of such changes in per cent, least first
errors() {
	awk -v change="^$1" '$2 ~ change && $NF == "%" { e = $(NF - 1) + 0; print e < 0 ? -e : e }' "$work/table" |
		sort -n
}

at_most "gains are off by 10 % at the median at most" \
	"$(sed -n 's/^Gain of .*off by \([0-9.]*\) % (median).*/\1/p' "$work/table")" 10
at_most "one pair of variants in ten is ranked wrong at most" \
	"$(awk '/^Of [0-9]+ pairs/ { print 1 - $12 / $2 }' "$work/table")" 0.1
# Each variant's measured block is its own typical one (measurements/h200/kernels.md), so what the plain
# variant's block holds is not quite what the others' do.
at_most "of 54 pairs of float histograms of 32 bins five are ranked wrong at most" \
	"$(grep -c 'wrong: weighted-32-' "$work/table")" 5
n=0
while IFS=', ' read -r change points median most; do
	n=$((n + 1))
	errors "$change" >"$work/errors"
	[ "$(wc -l <"$work/errors")" -eq "$points" ] || not_ok "$change: $points variants" "$work/errors"
	at_most "$change: the median is no worse than advise says" \
		"$(sed -n "$(((points + 1) / 2))p" "$work/errors")" "$(awk -v x="$median" 'BEGIN { print 100 * x }')"
	at_most "$change: the maximum is no worse than advise says" \
		"$(tail -n 1 "$work/errors")" "$(awk -v x="$most" 'BEGIN { print 100 * x }')"
done < <(sed -n 's/.*{"NVIDIA H200", "\([a-z]*=\)", \(.*\)},/\1, \2/p' "$SOURCE/src/explore/advise/candidates.c")
at_most "advise knows errors of changes" "$((n < 1))" 0
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# From plain kernels' traces alone, their measured variants are foretold; and what reports say
# of their errors is no better than it is.
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

at_most "gains are off by 10 % at the median at most" \
	"$(sed -n 's/^Gain of .*off by \([0-9.]*\) % (median).*/\1/p' "$work/table")" 10
at_most "one pair of variants in ten is ranked wrong at most" \
	"$(awk '/^Of [0-9]+ pairs/ { print 1 - $12 / $2 }' "$work/table")" 0.1
# Each variant's measured block is its own typical one (measurements/h200/kernels.md), so what the plain
# variant's block holds is not quite what the others' do.
at_most "of 54 pairs of float histograms of 32 bins six are ranked wrong at most" \
	"$(grep -c 'wrong: weighted-32-' "$work/table")" 6
# What reports say (configs/h200/known-errors.json, by make known-errors) of kernels and of changes is no better than it is.
known=$SOURCE/configs/h200/known-errors.json
if bash "$SOURCE/measurements/known-errors.sh" h200.json "$SOURCE/measurements/h200" >"$work/known" 2>"$work/stderr"; then
	ok "the known errors can be found"
else
	not_ok "the known errors can be found" "$work/stderr"
fi
check "reports' known errors are those of the config as it is (else: make known-errors)" \
	cmp <(grep '"config"' "$known") <(grep '"config"' "$work/known")
if awk -F '[:,}]+ *' '
	!/"what"/ { next }
	FNR == NR { points[$2] = $4; median[$2] = $6; most[$2] = $8; next }
	{ n++ }
	points[$2] != $4 || median[$2] < $6 || most[$2] < $8 { print "now: " $0; bad = 1 }
	END { if (n < 5) { print n " rows"; bad = 1 } exit bad }' "$known" "$work/known" >"$work/why"; then
	ok "reports' known errors are no better than they are (else: make known-errors)"
else
	not_ok "reports' known errors are no better than they are (else: make known-errors)" "$work/why"
fi
# What advice is worth (make advice): the page is of the table that is kept.
check "the page of advice is that of its table (else: make advice)" \
	cmp "$SOURCE/docs/advice.md" <(bash "$SOURCE/measurements/advice-table.sh" "$SOURCE/measurements/h200/advice.csv")
check "no family's measured change is missing from it" \
	cmp <(sed -n 's/^pair,[^,]*,\([^,]*\),.*/\1/p' "$SOURCE/measurements/h200/advice.csv" | sort) \
	<(awk -F, 'NR > 1 && $1 != "locked" { print $2 }' "$SOURCE/measurements/h200/variants.csv" | sort)
done_testing

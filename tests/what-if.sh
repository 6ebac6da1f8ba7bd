#!/bin/bash
# SPDX-License-Identifier: MIT
# From the plain float histogram of 32 bins alone, the other variants are foretold as measured.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
export ATOMSIM

bash "$SOURCE/measurements/what-if.sh" h200.json "$SOURCE/measurements/h200" weighted-32-1-0 \
	>"$work/table" 2>"$work/stderr" || not_ok "the table can be made" "$work/stderr"

# at_most NAME PATTERN NUMBER: the first number of the line is no larger
at_most() {
	if grep -E "$2" "$work/table" | grep -oE '[0-9]+\.[0-9]+' | head -n 1 |
		awk -v most="$3" '{ found = 1; exit $1 > most } END { if (!found) exit 1 }'; then
		ok "$1"
	else
		not_ok "$1" "$work/table"
	fi
}

at_most "gains of the float histogram are off by 10 % at the median at most" '^Gain of 10 variants' 10
if awk '/^Of [0-9]+ pairs/ { found = 1; exit $12 < 0.9 * $2 } END { if (!found) exit 1 }' "$work/table"; then
	ok "nine pairs of variants in ten are ranked as measured"
else
	not_ok "nine pairs of variants in ten are ranked as measured" "$work/table"
fi
done_testing

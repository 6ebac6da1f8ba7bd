#!/bin/bash
# SPDX-License-Identifier: MIT
# Gains of variants of 15 kernels on an H200: measured, and predicted from the plain kernel's trace alone (docs/accuracy.md).
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

echo plain,variant,change,measured,predicted
bash "$SOURCE/measurements/what-if.sh" h200.json "$SOURCE/measurements/h200" | awk '
	$2 == "(as" { plain = $1; measured = $4; predicted = $5 }
	$NF == "%" && NF == 8 && /[+-][0-9.]+ %$/ {
		n++
		gsub(",", ";", $2)
		printf "%s,%s,%s,%.5f,%.5f\n", plain, $1, $2, measured / $3, predicted / $5
	}
	END { exit !n }'

#!/bin/bash
# SPDX-License-Identifier: MIT
# How good the estimates of --within are: a table of what within.sh printed.
#
#   within-table.sh RESULTS.csv
#
# Gains are of estimates of launches of 20 waves or more, or of one wave of loops; what was simulated whole does not count for them, nor for the coverage.
export LC_ALL=C
echo "| launches | within | simulated whole | estimated | interval holds the cycles | median half width | median, worst error | median gain: instructions, CPU time |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
tail -n +2 "$1" | sort -t, -k3,3 -k4,4nr | awk -F, '
	function median(list, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
				t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
			}
		return n ? list[int((n + 1) / 2)] : 0
	}
	function row() {
		printf "| %s | %d %% | %d | %d | %d (%.0f %%) | %.1f %% | %.1f, %.1f %% | %.1f, %.1f |\n", half, percent,
			whole, n, good, n ? 100 * good / n : 0, median(widths, n), median(errors, n), worst,
			median(gains, n_gains), median(cpu, n_gains)
	}
	$3 != half || $4 != percent {
		if (half != "")
			row()
		half = $3; percent = $4
		n = good = whole = n_gains = worst = 0
	}
	$15 != "yes" { whole++ }
	$15 == "yes" {
		n++
		error = 100 * ($8 / $7 - 1)
		errors[n] = error < 0 ? -error : error
		worst = errors[n] > worst ? errors[n] : worst
		widths[n] = 100 * ($10 - $8) / $8
		good += $7 >= $9 && $7 <= $10
		if ($5 >= 20 || half ~ /^loops/) {
			gains[++n_gains] = $11 / $12
			cpu[n_gains] = $13 / ($14 > 0 ? $14 : 0.001)
		}
	}
	END { row() }'

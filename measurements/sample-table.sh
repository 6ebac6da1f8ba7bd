#!/bin/bash
# SPDX-License-Identifier: MIT
# How good estimates from samples are: a table of what sample.sh printed, and why launches have no estimate.
#
#   sample-table.sh RESULTS.csv [SET]...
#
# A row for each set of launches: those named, or all; names joined by + are one row. The interval of a share is that of Clopper and Pearson, 95 %.
export LC_ALL=C
results=$1
shift
[[ $# -gt 0 ]] || mapfile -t sets < <(tail -n +2 "$results" | cut -d, -f3 | sort -u)
[[ $# -eq 0 ]] || sets=("$@")

echo "| launches | programs | number | interval holds the cycles | median half width | median, worst error | median gain: instructions, CPU time, bytes |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for set in "${sets[@]}"; do
	tail -n +2 "$results" | awk -F, -v set="$set" '
	function median(list, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
				t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
			}
		return n ? (list[int((n + 1) / 2)] + list[int((n + 2) / 2)]) / 2 : 0
	}
	# The chance of k or fewer of n, each of which has the chance p.
	function at_most(k, n, p,   i, term, sum) {
		if (p <= 0 || p >= 1)
			return p <= 0 || k >= n
		term = n * log(1 - p)
		for (i = 0; i <= k; i++) {
			sum += exp(term)
			term += log((n - i) / (i + 1) * p / (1 - p) + (i == n))
		}
		return sum
	}
	# The p of which k or fewer of n have the chance.
	function limit(k, n, chance,   low, high, i) {
		high = 1
		for (i = 0; i < 50; i++)
			if (at_most(k, n, (low + high) / 2) > chance)
				low = (low + high) / 2
			else
				high = (low + high) / 2
		return low
	}
	BEGIN {
		split(set, names, "+")
		for (i in names)
			chosen[names[i]] = 1
	}
	!($3 in chosen) || $18 != "yes" { next }
	{
		n++
		programs += !seen[$2]++
		error = 100 * ($9 / $8 - 1)
		errors[n] = error < 0 ? -error : error
		worst = errors[n] > worst ? errors[n] : worst
		widths[n] = 100 * ($11 - $9) / $9
		good += $8 >= $10 && $8 <= $11
		gains[n] = $12 / $13
		cpu[n] = $16 / ($17 > 0 ? $17 : 0.001)
		bytes[n] = $14 / $15
	}
	END {
		if (!n) {
			printf "| %s | 0 | 0 | | | | |\n", set
			exit
		}
		low = good ? limit(good - 1, n, 0.975) : 0
		high = good < n ? limit(good, n, 0.025) : 1
		printf "| %s | %d | %d | %d (%.0f %%; %.0f to %.0f %%) | %.1f %% | %.1f, %.1f %% | %.1f, %.1f, %.1f |\n", set, programs, n, good,
			100 * good / n, 100 * low, 100 * high, median(widths, n), median(errors, n), worst,
			median(gains, n), median(cpu, n), median(bytes, n)
	}'
done
echo
echo "Without an estimate:"
tail -n +2 "$results" | cut -d, -f18 | grep -v '^yes$' | sed -E 's/^no: //; s/[0-9]+/N/g' | sort | uniq -c | sort -rn

#!/bin/bash
# SPDX-License-Identifier: MIT
# advice.csv (measurements/advice.sh) as a page: docs/validation/advice.md.
#
#   advice-table.sh CSV >docs/validation/advice.md
set -e -o pipefail
export LC_ALL=C

head_of_page() {
	cat <<'END'
# What advice is worth

Written by `make -C build advice` from `measurements/h200/advice.csv`, on config `h200`.

`measurements/h200/variants.csv` has small kernels as somebody writes them first, and changes that are said to help, both measured
on an H200 (`traces/kernels/variants.cu`). The trace of the plain variant alone is given to `atomsim advise`, and the what-if that
makes a variant is simulated. A gain is the plain variant's cycles over the variant's; measured cycles are
`sm__cycles_elapsed.max` less 2,900 of the launch. A change of which no what-if makes a variant has no simulated gain.
What was held back was looked at once, after advice was done.

- **Best first**: the change that is advised first, of those that were measured, gains at least 95 % of the best measured one; or nothing is
  advised where no change gains 5 %.
- **Sign error**: a change is advised that was measured to be slower; or a simulated gain of 1.05 or more is measured below 1, or the
  other way round.
END
}

# Sums up one half; tables of variants that are advised, or that gain or lose.
pairs() {
	awk -v half="$1" '
function size(x) { return x < 0 ? -x : x }
function fields(line, n, i, c, quoted) { # of CSV
	n = 1; f[1] = ""; quoted = 0
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"") quoted = !quoted
		else if (c == "," && !quoted) f[++n] = ""
		else f[n] = f[n] c
	}
}
# The best of a family, and what is advised first of what was measured.
function judge(k, best, first) {
	if (family == "") return
	n_families++
	best = 1
	first = 0
	for (k = 1; k <= n; k++) {
		if (measured[k] > best) best = measured[k]
		if (place[k] > 0 && (!first || place[k] < place[first] ||
		    (place[k] == place[first] && measured[k] > measured[first]))) first = k
	}
	hit = first ? measured[first] >= 0.95 * best : best < 1.05
	hits += hit
	if (!hit) missed = missed sprintf("- `%s`: %s\n", family, first ? "advised first was " name[first] : "nothing measured was advised")
}
{ fields($0) }
f[1] != "pair" || f[11] != half { next }
f[2] != family { judge(); family = f[2]; n = 0 }
f[4] == "-" {
	base = f[8]
	rows = rows sprintf("| **%s** | | %s | | %s | | |\n", f[2], f[6], f[8])
	next
}
{
	n++
	name[n] = f[3]; measured[n] = f[7] + 0; place[n] = f[10] + 0
	n_variants++
	off = ""
	if (f[9] != "") {
		error = f[9] / f[7] - 1
		off = sprintf("%+.0f %%", 100 * error)
		errors[++n_errors] = size(error)
		wrong = (f[9] >= 1.05 && f[7] < 1) || (f[7] >= 1.05 && f[9] < 1)
	} else wrong = 0
	if (f[10] > 0 && f[7] < 0.98) { worse++; wrong = 1; worst = worst " `" f[3] "`" }
	signs += wrong
	rows = rows sprintf("| %s | %s | %s | %.2f | %s | %s | %s |\n", f[3], f[5] ? "`" f[5] "`" : f[4], f[6], f[7], \
		f[8], f[9] == "" ? "" : sprintf("%.2f, %s", f[9], off), f[10] > 0 ? f[10] : "")
}
END {
	judge()
	for (i = 2; i <= n_errors; i++)
		for (k = i; k > 1 && errors[k - 1] > errors[k]; k--) {
			t = errors[k]; errors[k] = errors[k - 1]; errors[k - 1] = t
		}
	if (!n_errors) { print "Nothing of this half is here."; exit }
	printf "Best first: %d of %d kernels. Sign errors: %d of %d changes; advised and measured slower by 2 %% or more: %d%s.\n", \
		hits, n_families, signs, n_errors, worse, worst
	printf "Gains are off by %.0f %% at the median, %.0f %% at the 90th percentile, %.0f %% at most.\n", \
		100 * errors[int((n_errors + 1) / 2)], 100 * errors[int(n_errors * 0.9 + 0.5)], 100 * errors[n_errors]
	if (missed != "") printf "\nNot first:\n\n%s", missed
	print "\n| variant | what if | measured cycles | gain | simulated cycles | gain | advised |"
	print "| --- | --- | --- | --- | --- | --- | --- |"
	printf "%s", rows
}' "$2"
}

shipped() {
	echo '| trace | advised first | gain | cycles then |'
	echo '| --- | --- | --- | --- |'
	sed -n 's/^trace,\([^,]*\),,-,"\([^"]*\)",,,\([^,]*\),\([^,]*\),.*/\1|\2|\4|\3/p' "$1" |
		awk -F '|' '{ printf "| %s | %s | %s | %s |\n", $1, $2 ? "`" $2 "`" : "nothing", $3 ? sprintf("%.2f", $3) : "", $4 }'
}

head_of_page
printf '\n## Kernels that were looked at\n\n'
pairs 0 "$1"
printf '\n## Kernels that were held back\n\n'
pairs 1 "$1"
printf '\n## Shipped traces\n\n'
shipped "$1"

# SPDX-License-Identifier: MIT
# Of lines "WHAT|ERROR|HELD", sorted by what and error: what expected-errors.json says of each class of launches, or of each change
# (-v bound=max), and of launches on stderr how many of the held-back ones (HELD 1) are within what it says of the others.
#
# Of n errors the 90th percentile is the (n + 1) * 0.9th, rounded up: the next one of the same kind is within it nine times in ten
# (split conformal prediction). Fewer than nine have no such one: there it is what nine in ten would be within if errors of the
# class are exponentially distributed and nothing but these n is known of their mean, n * mean * (10^(1/n) - 1). Fewer than five
# say nothing. Of changes, however few, it is the most. Figures are rounded up to whole per cents.

BEGIN {
	if (!bound)
		bound = "p90"
	least = bound == "p90" ? 5 : 1
}

function up(x)
{
	x = 100 * x - 1e-9
	return (x > int(x) ? int(x) + 1 : int(x)) / 100
}

function high(	rank)
{
	rank = bound == "p90" ? int((9 * (n + 1) + 9) / 10) : n
	return rank <= n ? error[rank] : sum * (exp(log(10) / n) - 1)
}

function row(	half, most, i, within)
{
	half = int((n + 1) / 2)
	most = up(high())
	for (i = 1; i <= n_held; i++)
		within += held[i] <= most
	all += n_held
	all_within += within
	printf "%s    {\"what\": \"%s\", \"points\": %d, \"median\": %.2f, \"%s\": %.2f}", rows++ ? ",\n" : "",
		what, n, up(n % 2 ? error[half] : (error[half] + error[half + 1]) / 2), bound, most
	if (n_held > 0)
		printf "%s: of %d held-back launches %d within %.0f %%\n", what, n_held, within, 100 * most >"/dev/stderr"
}

function end_rows()
{
	if (n >= least)
		row()
	else if (n + n_held > 0)
		printf "%s: nothing is said, %d launches, %d held back\n", what, n, n_held >"/dev/stderr"
	n = n_held = sum = 0
}

$1 != what { end_rows(); what = $1 }
$3 == 1 { held[++n_held] = $2; next }
{ error[++n] = $2; sum += $2 }
END {
	end_rows()
	if (rows)
		print ""
	if (all)
		printf "all: of %d held-back launches %d within\n", all, all_within >"/dev/stderr"
}

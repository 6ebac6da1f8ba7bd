# SPDX-License-Identifier: MIT
# Of lines "CLASS|ERROR|HELD", sorted by class and error: what expected-errors.json says of each class, and on stderr how many of
# the held-back ones (HELD 1) are within what it says of the others.
#
# Of n errors the 90th percentile is the (n + 1) * 0.9th, rounded up: the next one of the same kind is within it nine times in ten
# (split conformal prediction). Fewer than nine have no such one: there it is what nine in ten would be within if errors of the
# class are exponentially distributed and nothing but these n is known of their mean, n * mean * (10^(1/n) - 1). Fewer than five
# say nothing. Figures are rounded up to whole per cents.

function up(x)
{
	x = 100 * x - 1e-9
	return (x > int(x) ? int(x) + 1 : int(x)) / 100
}

function high(	rank)
{
	rank = int((9 * (n + 1) + 9) / 10)
	return rank <= n ? error[rank] : sum * (exp(log(10) / n) - 1)
}

function row(	half, p90, i, within)
{
	half = int((n + 1) / 2)
	p90 = up(high())
	for (i = 1; i <= n_held; i++)
		within += held[i] <= p90
	all += n_held
	all_within += within
	printf "%s    {\"what\": \"%s\", \"points\": %d, \"median\": %.2f, \"p90\": %.2f}", rows++ ? ",\n" : "",
		class, n, up(n % 2 ? error[half] : (error[half] + error[half + 1]) / 2), p90
	printf "%s: of %d held-back launches %d within %.0f %%\n", class, n_held, within, 100 * p90 >"/dev/stderr"
}

function end_class()
{
	if (n >= 5)
		row()
	else if (n + n_held > 0)
		printf "%s: nothing is said, %d launches, %d held back\n", class, n, n_held >"/dev/stderr"
	n = n_held = sum = 0
}

$1 != class { end_class(); class = $1 }
$3 == 1 { held[++n_held] = $2; next }
{ error[++n] = $2; sum += $2 }
END {
	end_class()
	if (rows)
		print ""
	printf "all: of %d held-back launches %d within\n", all, all_within >"/dev/stderr"
}

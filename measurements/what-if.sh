#!/bin/bash
# SPDX-License-Identifier: MIT
# From the trace of a plain kernel alone, what would its other variants cost? Against measurement.
#
#   what-if.sh CONFIG FOLDER [PLAIN]
#
# FOLDER has kernels.csv, kernels/*.bin and what-if.list; PLAIN: rows of that plain variant only. ATOMSIM is the program.
# A gain is the plain variant's cycles over the variant's. Prints each row, then how good they are.
set -e -o pipefail
export LC_ALL=C
config=$1 folder=$2 only=${3-} atomsim=${ATOMSIM-atomsim}

# The cycles of a trace with what-ifs.
simulate() {
	local trace=$1 arguments=()
	shift
	for change in "$@"; do arguments+=(--what-if "$change"); done
	"$atomsim" run --config "$config" --set launch.l2=warm --no-baseline --reproducible --format json "${arguments[@]}" \
		"$folder/kernels/$trace.bin" | grep -oE '"cycles":[0-9]+' | sed '1s/.*://; 1q'
}

# plain variant changes measured-plain measured predicted-plain predicted
rows() {
	local plain variant changes last='' base='' predicted
	while read -r plain variant changes; do
		if [ "$plain" != "$last" ]; then
			base=$(simulate "$plain")
			[ -n "$base" ] || return 1
		fi
		last=$plain
		# shellcheck disable=SC2086 # a row holds one or more changes
		predicted=$(simulate "$plain" $changes) || continue # refused: standard error says why
		printf '%s %s %s %s %s %s %s\n' "$plain" "$variant" "${changes// /+}" \
			"$(measured "$plain")" "$(measured "$variant")" "$base" "$predicted"
	done < <(grep -v '^#' "$folder/what-if.list" | awk -v only="$only" 'only == "" || $1 == only')
}

measured() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["trace"] == name { print $column["cycles"] }' "$folder/kernels.csv"
}

rows | awk '
function size(x) { return x < 0 ? -x : x }
function rank(n1, m1, p1, m2, p2) { # of two variants of one plain kernel
	if (size(m1 - m2) <= 0.05 * (m1 < m2 ? m1 : m2))
		return
	pairs++
	if ((m1 - m2) * (p1 - p2) > 0) right++
	else wrong[++n_wrong] = n1
}
{
	if ($1 != plain) {
		n = 1
		name[1] = plain = $1; m[1] = $4; p[1] = $6
		printf "%s%-26s %-24s %9s %9s %9s %9s %8s\n", (NR > 1 ? "\n" : ""), \
			"Variant", "what if", "measured", "gain", "predicted", "gain", "off by"
		printf "%-26s %-24s %9d %9s %9d\n", $1, "(as captured)", $4, "", $6
	}
	true = $4 / $5; estimate = $6 / $7; off = estimate / true - 1
	printf "%-26s %-24s %9d %9.2f %9d %9.2f %+7.1f %%\n", $2, $3, $5, true, $7, estimate, 100 * off
	for (i = 1; i <= n; i++) rank(name[i] " and " $2, m[i], p[i], $5, $7)
	n++; name[n] = $2; m[n] = $5; p[n] = $7
	errors[++n_errors] = size(off)
}
END {
	if (!n_errors) exit 1
	for (i = 2; i <= n_errors; i++)
		for (k = i; k > 1 && errors[k - 1] > errors[k]; k--) {
			t = errors[k]; errors[k] = errors[k - 1]; errors[k - 1] = t
		}
	h = int(n_errors / 2)
	median = n_errors % 2 ? errors[h + 1] : (errors[h] + errors[h + 1]) / 2
	printf "\nOf %d pairs of variants that differ by over 5 %%, %d are ranked correctly (%.1f %%)\n", \
		pairs, right, 100 * right / (pairs ? pairs : 1)
	for (i = 1; i <= n_wrong; i++) print "  wrong: " wrong[i]
	printf "Gain of %d variants: off by %.1f %% (median), %.1f %% (at most)\n", \
		n_errors, 100 * median, 100 * errors[n_errors]
}'

#!/bin/bash
# SPDX-License-Identifier: MIT
# What reports say of their own error: the errors of validated kernels by what they are like (which the reports say
# themselves, known_error.kernels), and of foretold gains by change, as rows of src/replay/known-errors.inc.
#
#   known-errors.sh CONFIG FOLDER
#
# FOLDER has kernels.csv, kernels/*.bin and what-if.list. ATOMSIM is the program. `make known-errors` calls it.
set -e -o pipefail
export LC_ALL=C ATOMSIM=${ATOMSIM-atomsim}
here=$(cd "$(dirname "$0")" && pwd)
config=$1 folder=$2
machine=$("$ATOMSIM" config --config "$config" | sed -nE 's/^[[:space:]]*"name":[[:space:]]*"(.*)",?$/\1/p' | head -n 1)

# summary MACRO: of lines "WHAT|ERROR" a row for each WHAT; median and most, up to whole per cents
summary() {
	sort -t '|' -k 1,1 -k 2,2g | awk -F '|' -v macro="$1" -v machine="$machine" '
		function up(x) { x *= 100; return (x > int(x) ? int(x) + 1 : int(x)) / 100 }
		function row(   h) {
			if (n == 0) return
			h = int((n + 1) / 2)
			printf "%s(\"%s\", \"%s\", %d, %.2f, %.2f)\n", macro, machine, what, n,
				up(n % 2 ? e[h] : (e[h] + e[h + 1]) / 2), up(e[n])
		}
		$1 != what { row(); what = $1; n = 0 }
		{ e[++n] = $2 }
		END { row() }'
}

# NAME|WHAT of every trace, alone on an SM as it was measured
kinds() {
	"$ATOMSIM" run --config "$config" --set sm.count=1 --no-baseline --reproducible --format json "$folder"/kernels/*.bin |
		sed -nE 's/.*"trace":\{"name":"([^"]*)\.bin".*"known_error":\{"kernels":"([^"]*)".*/\1|\2/p'
}

# NAME|ERROR of every measured kernel
errors() {
	"$ATOMSIM" validate --config "$config" --format csv "$folder/kernels.csv" |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			{
				name = $column["pattern"]
				sub(/.*\//, "", name)
				e = $column["error"]
				print name "|" (e < 0 ? -e : e)
			}'
}

echo "/* SPDX-License-Identifier: MIT */"
echo "/* Written by make known-errors: machine, what, points, median, maximum. */"
join -t '|' -o 1.2,2.2 <(kinds | sort -t '|' -k 1,1) <(errors | sort -t '|' -k 1,1) | summary KERNEL
bash "$here/what-if.sh" "$config" "$folder" |
	awk '$NF == "%" && $2 ~ /=/ { e = $(NF - 1) / 100; sub(/=.*/, "=", $2); print $2 "|" (e < 0 ? -e : e) }' |
	summary CHANGE

#!/bin/bash
# SPDX-License-Identifier: MIT
# What reports say of their own error: the errors of validated kernels by what they are like (which the reports say
# themselves, known_error.kernels), and of foretold gains by change, as known-errors.json of the config's folder.
#
#   known-errors.sh CONFIG FOLDER
#
# FOLDER has kernels.csv, kernels/*.bin and what-if.list. ATOMSIM is the program. `make known-errors` calls it.
set -e -o pipefail
export LC_ALL=C ATOMSIM=${ATOMSIM-atomsim}
here=$(cd "$(dirname "$0")" && pwd)
config=$1 folder=$2

# summary: of lines "WHAT|ERROR" an object for each WHAT; median and most, up to whole per cents
summary() {
	sort -t '|' -k 1,1 -k 2,2g | awk -F '|' '
		function up(x) { x *= 100; return (x > int(x) ? int(x) + 1 : int(x)) / 100 }
		function row(   h) {
			if (n == 0) return
			h = int((n + 1) / 2)
			printf "%s    {\"what\": \"%s\", \"points\": %d, \"median\": %.2f, \"max\": %.2f}",
				rows++ ? ",\n" : "", what, n, up(n % 2 ? e[h] : (e[h] + e[h + 1]) / 2), up(e[n])
		}
		$1 != what { row(); what = $1; n = 0 }
		{ e[++n] = $2 }
		END { row(); if (rows) print "" }'
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

checksum=$("$ATOMSIM" config --config "$config" --checksum)
cat <<-END
	{
	  "description": "Written by make known-errors: how far off runs were on the config of that checksum (atomsim config --checksum). kernels: simulated cycles; changes: foretold gains. points were measured; median and max are relative.",
	  "config": "$checksum",
	  "kernels": [
END
join -t '|' -o 1.2,2.2 <(kinds | sort -t '|' -k 1,1) <(errors | sort -t '|' -k 1,1) | summary
echo '  ],'
echo '  "changes": ['
bash "$here/what-if.sh" "$config" "$folder" |
	awk '$NF == "%" && $2 ~ /=/ { e = $(NF - 1) / 100; sub(/=.*/, "=", $2); print $2 "|" (e < 0 ? -e : e) }' |
	summary
echo '  ]'
echo '}'

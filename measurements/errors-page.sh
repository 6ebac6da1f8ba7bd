#!/bin/bash
# SPDX-License-Identifier: MIT
# Validates files of points, and renews the rows of pages that have their errors.
#
#   errors-page.sh CONFIG FOLDER PAGES WORK NAME...
#
# Simulates FOLDER/NAME.csv for each NAME and keeps every point in WORK/NAME.csv; ATOMSIM is the program. Prints a row a file:
# points, median, mean, 90th percentile and maximum of the errors, in per cent. In each Markdown page of the folder PAGES, rows of tables
# whose first cell begins with `NAME.csv` get these five in the cells behind it: of the file's held-out points where that cell goes on
# with ", held out", of its loads past the first cache with ", `ld_cg`", of all other operations with ", atomics". No other cell is touched.
set -e -o pipefail
export LC_ALL=C
config=$1 folder=$2 pages=$3 work=$4
shift 4
mkdir -p "$work"

for name; do
	"${ATOMSIM-atomsim}" validate --config "$config" --format csv "$folder/$name.csv" >"$work/$name.part"
	mv "$work/$name.part" "$work/$name.csv"
done

# sums NAME WHICH AWK-CONDITION: of the points for which it is true
sums() {
	awk -F, -v name="$1" -v which="$2" "
		NR > 1 && ($3)"' {
			error = $7 < 0 ? -$7 : $7
			for (i = ++n; i > 1 && off[i - 1] > error; i--) off[i] = off[i - 1]
			off[i] = error
			sum += error
		}
		END {
			if (n)
				printf "%s,%s,%d,%.3f,%.3f,%.3f,%.3f\n", name, which, n, 50 * (off[int((n + 1) / 2)] + off[int(n / 2) + 1]),
					100 * sum / n, 100 * off[int((9 * n + 9) / 10)], 100 * off[n]
		}' "$work/$1.csv"
}

echo file,which,points,median,mean,p90,max | tee "$work/errors"
# shellcheck disable=SC2016 # awk's own $
for name; do
	sums "$name" all 1
	sums "$name" held '$9 == 1'
	sums "$name" ld_cg '$3 == "ld_cg"'
	sums "$name" atomics '$3 != "ld_cg"'
done | tee -a "$work/errors"

for page in "$pages"/*.md; do
	awk -F '|' -v OFS='|' '
		function percent(x) { return " " (x < 19.95 ? sprintf("%.1f", x) : sprintf("%.0f", x)) " " }
		function commas(n) { return " " (n < 1000 ? n : int(n / 1000) "," sprintf("%03d", n % 1000)) " " }
		NR == FNR {
			split($0, value, ",")
			for (i = 3; i <= 7; i++) of[value[1] "/" value[2], i] = value[i]
			next
		}
		/^\| `[a-z-]+\.csv`/ {
			split($2, name, "`")
			sub(/\.csv$/, "", name[2])
			key = name[2] "/" ($2 ~ /`, held out/ ? "held" : $2 ~ /`, `ld_cg`/ ? "ld_cg" : $2 ~ /`, atomics/ ? "atomics" : "all")
			if ((key, 3) in of) {
				$3 = commas(of[key, 3])
				for (i = 4; i <= 7; i++) $i = percent(of[key, i])
			}
		}
		{ print }' "$work/errors" "$page" >"$work/page"
	cmp -s "$work/page" "$page" || cat "$work/page" >"$page"
done

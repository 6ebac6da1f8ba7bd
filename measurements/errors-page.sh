#!/bin/bash
# SPDX-License-Identifier: MIT
# Files of points against the model, summed up, and the rows of a page that have these sums.
#
#   errors-page.sh CONFIG FOLDER PAGE WORK NAME...
#
# Simulates FOLDER/NAME.csv for each NAME and keeps every point in WORK/NAME.csv; ATOMSIM is the program. Prints a row a file:
# points, median, mean, 90th percentile and maximum of the errors, in per cent. In PAGE a table's row whose first cell begins with
# NAME.csv gets them: "median, mean, 90th percentile, maximum" in its third cell, and those of the held-back points in its fifth where
# the fourth says "all, seen" or how many are marked so in the file; or, where the name is code, points, median, 90th percentile and maximum in the cells behind it. Rows "of these" that follow have
# the file's loads (ld_cg) or all else. No other cell is touched.
set -e -o pipefail
export LC_ALL=C
config=$1 folder=$2 page=$3 work=$4
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

awk -F '|' -v OFS='|' '
	function short(x) { return x < 20 ? sprintf("%.1f", x) : sprintf("%.0f", x) }
	function commas(n) { return n < 1000 ? n : int(n / 1000) "," sprintf("%03d", n % 1000) }
	function cells(i) { $3 = " " commas(of[i, 3]) " "; $4 = " " short(of[i, 4]) " % "; $5 = " " short(of[i, 6]) " % "; $6 = " " short(of[i, 7]) " % " }
	function four(key) { return " " short(of[key, 4]) ", " short(of[key, 5]) ", " short(of[key, 6]) ", " short(of[key, 7]) " " }
	NR == FNR {
		split($0, value, ",")
		for (i = 3; i <= 7; i++) of[value[1] "/" value[2], i] = value[i]
		next
	}
	/^\| `?[a-z-]+\.csv/ {
		name = $2
		code = name ~ /^ `/
		sub(/^ `?/, "", name)
		sub(/\.csv.*/, "", name)
		all = name "/all"
		if ((all, 3) in of && code)
			cells(all)
		else if ((all, 3) in of && NF == 7) {
			$4 = four(all)
			held = name "/held"
			if ($5 == " all, seen ") $6 = $4
			else if ((held, 3) in of && $5 + 0 == of[held, 3]) $6 = four(held)
		}
	}
	/^\| of these, / {
		part = name ($2 ~ /ld_cg/ ? "/ld_cg" : "/atomics")
		if ((part, 3) in of) cells(part)
	}
	{ print }' "$work/errors" "$page" >"$work/page"
cat "$work/page" >"$page"

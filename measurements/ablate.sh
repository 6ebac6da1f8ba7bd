#!/bin/bash
# SPDX-License-Identifier: MIT
# What each rule of a config is worth: leaves one out at a time, and compares the errors with those of the whole config, row by
# row, on what no constant was chosen by. `make ablate` runs it.
#
#   ablate.sh CONFIG FOLDER OUT [NAME]...
#
# FOLDER is measurements/NAME with ablate.list: a name and the settings that leave its rule out. Each NAME, or all of them. What
# was computed is kept in OUT, a file for each switch and file of measurements, and taken from there. ATOMSIM is the program, JOBS
# how many run at a time, SETS which sets (all four if left out).
#
# Sets: programs (rows held back of kernels.csv, counted-, fresh- and later-launches.csv, and all of unseen-launches.csv;
# resampled by whole programs), drawn points of atomics and of loads (resampled by points), and locks (k-means with locks and
# atomics, rows held back of locks-again.csv of at most 500,000 cycles, one of each repeat: more take minutes each). Printed for each: the change of
# the mean error in points (above 0: the rule helps), the 95 % interval of a paired bootstrap of 2,000 samples, the change at the 90th
# percentile, and how many rows change at all. A rule pays if on one of the sets the mean changes by 0.2 points or more and the
# interval is above 0.
set -eu -o pipefail
export LC_ALL=C
config=$1 folder=$2 out=$3
shift 3
atomsim=${ATOMSIM-atomsim} jobs=${JOBS-2}
# shellcheck disable=SC2034 # used by their names
programs="kernels counted-launches fresh-launches later-launches unseen-launches"
# shellcheck disable=SC2034
atomics="global-atomics-drawn global-atomics-unseen global-atomics-drawn-again global-atomics-drawn-anew"
# shellcheck disable=SC2034
loads="global-loads-third global-loads-drawn-again"
# shellcheck disable=SC2034
locks="locks-again"
sets=${SETS-programs atomics loads locks}
mkdir -p "$out"
awk -F, 'NR == 1 || ($10 == 1 && $5 <= 500000 && !seen[$1, $2, $3, $4]++)' "$folder/locks-again.csv" >"$out/locks-again.csv"

names() {
	if [ $# -gt 0 ]; then printf '%s\n' "$@"; else awk '!/^#/ {print $1}' "$folder/ablate.list"; fi
}

# errors SWITCH FILE: the rows of one file, as validate prints them.
errors() {
	local to=$out/$1.$2.csv from=$folder/$2.csv set settings=() arguments=()
	[ "$2" != locks-again ] || from=$out/$2.csv
	[ ! -s "$to" ] || return 0
	read -r -a settings < <(awk -v name="$1" '$1 == name {$1 = ""; print}' "$folder/ablate.list") || true
	for set in "${settings[@]}"; do
		arguments+=(--set "$set")
	done
	"$atomsim" validate --config "$config" "${arguments[@]}" --format csv "$from" >"$to.new"
	mv "$to.new" "$to"
}
export -f errors
export out folder config atomsim

# compare SET SWITCH FILE...: a line of the table.
compare() {
	local set=$1 name=$2 file pairs=()
	shift 2
	for file; do
		pairs+=("$out/whole.$file.csv" "$out/$name.$file.csv")
	done
	awk -F, -v set="$set" -v name="$name" '
		function absolute(x) { return x < 0 ? -x : x }
		function random() { # Park and Miller: exact in doubles, so the same on every machine
			state = state * 16807 % 2147483647
			return state / 2147483647
		}
		function percentile(list, n, share,    i, k, v) {
			for (i = 2; i <= n; i++) {
				v = list[i]
				for (k = i - 1; k >= 1 && list[k] > v; k--)
					list[k + 1] = list[k]
				list[k + 1] = v
			}
			return list[int(share * (n - 1) + 1.5)]
		}
		FNR == 1 {
			file++
			next
		}
		$1 ~ /-(third|drawn|again|anew|unseen)\.csv$|unseen-launches\.csv$/ || $9 == 1 {
			key = $1 ":" $2 ":" $3
			if (file % 2) {
				whole[key] = absolute($7)
			} else if (key in whole) {
				cell = $4
				if (set == "programs") {
					sub(/^[^\/]*-launches\//, "", cell)
					sub(/\/.*/, "", cell)
				} else {
					cell = key
				}
				if (!(cell in cells)) {
					cells[cell] = ++n_cells
				}
				c = cells[cell]
				change = absolute($7) - whole[key]
				sum[c] += change
				rows[c]++
				total += change
				before[++n] = whole[key]
				after[n] = absolute($7)
				changed += change != 0
			}
		}
		END {
			state = 20261122
			for (b = 1; b <= 2000; b++) {
				s = m = 0
				for (i = 1; i <= n_cells; i++) {
					c = int(random() * n_cells) + 1
					s += sum[c]
					m += rows[c]
				}
				means[b] = 100 * s / m
			}
			mean = 100 * total / n
			low = percentile(means, 2000, 0.025)
			high = means[int(0.975 * 1999 + 1.5)]
			printf("%s,%s,%d,%d,%.2f,%.2f,%.2f,%.2f,%s\n", name, set, n, changed, mean, low, high,
			       100 * (percentile(after, n, 0.9) - percentile(before, n, 0.9)),
			       (mean >= 0.2 && low > 0) ? "pays" : "-")
		}' "${pairs[@]}"
}

# shellcheck disable=SC2016 # expanded by the shells that xargs starts
for name in whole $(names "$@"); do
	for set in $sets; do # names of the variables above
		for file in ${!set}; do
			printf '%s %s\n' "$name" "$file"
		done
	done
done | xargs -P "$jobs" -L 1 bash -c 'errors "$0" "$1"'

echo "rule,set,rows,rows_changed,mean_points,low,high,p90_points,verdict"
for name in $(names "$@"); do
	for set in $sets; do
		# shellcheck disable=SC2086
		compare "$set" "$name" ${!set}
	done
done

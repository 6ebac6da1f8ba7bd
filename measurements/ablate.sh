#!/bin/bash
# SPDX-License-Identifier: MIT
# What each rule of a config is worth: leaves one out at a time, and compares the errors with those of the whole config, row by
# row, on what no constant was chosen by. `make ablate` runs it.
#
#   ablate.sh CONFIG FOLDER OUT [NAME]...
#
# FOLDER is measurements/NAME with ablate.list: a name and the settings that leave its rule out. Each NAME, or all of them. What
# was computed is kept in OUT, a file for each switch and file of measurements, and taken from there. ATOMSIM is the program,
# JOBS how many run at a time, SETS which sets (all if left out). CORPUS is a folder of corpus.sh with launches.csv and traces: its
# programs become one more set.
#
# Sets:
#   programs  rows held back of kernels.csv, counted-, fresh- and later-launches.csv, and all of unseen-launches.csv, by programs
#   corpus    third-party launches of thirds 1 and 2, by programs
#   launches  generated launches that are held back, first launches of processes on another GPU
#   atomics   drawn points of atomics on global memory, every second row of a file
#   loads     drawn points of loads, every second row of a file
#   locks     k-means with locks and atomics, rows held back of at most 500,000 cycles, one of each repeat (more take minutes each);
#             spin locks, rows held back
#   gains     what-ifs of kernels.csv: error of the predicted gain
#
# Printed for each: the change of the mean error in points (above 0: the rule helps), the 95 % interval of a paired bootstrap of
# 2,000 samples (of whole programs in the first two sets, of rows in the others), the change at the 90th percentile, and how many
# rows change at all. A rule pays if on one of the sets the mean changes by 0.2 points or more and the interval is above 0.
set -eu -o pipefail
export LC_ALL=C
config=$1 folder=$2 out=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
atomsim=${ATOMSIM-atomsim} jobs=${JOBS-2} corpus=${CORPUS-}
declare -A files=(
	[programs]="kernels counted-launches fresh-launches later-launches unseen-launches"
	[corpus]="corpus"
	[launches]="launches starts-first-again"
	[atomics]="global-atomics-drawn global-atomics-unseen global-atomics-drawn-again global-atomics-drawn-anew"
	[loads]="global-loads-third global-loads-drawn-again"
	[locks]="locks-again issue/issue-locks issue/issue-locks-sections"
	[gains]="gains"
)
sets=${SETS-programs ${corpus:+corpus} launches atomics loads locks gains}
mkdir -p "$out"

# rows FILE: of the file of measurements those that are compared.
rows() {
	case $1 in
	locks-again) awk -F, 'NR == 1 || ($10 == 1 && $5 <= 500000 && !seen[$1, $2, $3, $4]++)' "$folder/$1.csv" ;;
	global-*) awk 'NR % 2 == 1' "$folder/$1.csv" ;;
	*) cat "$folder/$1.csv" ;;
	esac
}
# shellcheck disable=SC2068 # words: names of files
for file in ${files[@]}; do
	case $file in gains | corpus | kernels | *-launches) continue ;; esac
	mkdir -p "$out/rows/$(dirname "$file")"
	rows "$file" >"$out/rows/$file.csv"
done

names() {
	if [ $# -gt 0 ]; then printf '%s\n' "$@"; else awk '!/^#/ {print $1}' "$folder/ablate.list"; fi
}

# program SWITCH: the path of a program that is atomsim with the switch's settings.
program() {
	local path=$out/$1.atomsim text
	text=$(awk -v name="$1" '$1 == name { for (i = 2; i <= NF; i++) printf(" --set %s", $i) }' "$folder/ablate.list")
	# shellcheck disable=SC2016 # a script's text
	printf '#!/bin/sh\ncommand=$1\nshift\nexec "%s" "$command"%s "$@"\n' "$atomsim" "$text" >"$path.$$"
	chmod +x "$path.$$"
	mv "$path.$$" "$path"
	echo "$path"
}

# The rows of what-if.sh as validate prints rows.
gains() {
	echo "file,line,operation,pattern,measured,simulated,error,unit,held_back"
	ATOMSIM=$1 bash "$here/what-if.sh" "$config" "$folder" | awk '
		$8 == "%" { printf("gains,%d,gain,%s,%s,%s,%g,times,1\n", ++n, $1, $4, $6, $7 / 100) }'
}

# Launches of thirds 1 and 2 as validate prints rows, their pattern the program.
corpus() {
	echo "file,line,operation,pattern,measured,simulated,error,unit,held_back"
	find "$corpus/traces" -name '*.bin' -size +0 | sort | xargs "$1" run --config "$config" --no-baseline --causes=no \
		--reproducible --jobs 1 --format csv | awk -F, '
		FNR == 1 { for (i = 1; i <= NF; i++) column[FILENAME, $i] = i }
		function of(name) { return $column[FILENAME, name] }
		NR == FNR {
			if (FNR > 1 && of("chosen") == "yes" && of("third") > 0)
				measured[of("program") "-" of("kernel") "-" of("launch")] = of("cycles_active")
			next
		}
		FNR > 1 {
			name = of("trace.name")
			sub(/[.]bin$/, "", name)
			if (!(name in measured))
				next
			program = name
			sub(/-[0-9]+-[0-9]+$/, "", program)
			printf("corpus,%d,launch,%s,%d,%d,%.6f,cycles,1\n", ++n, program, measured[name], of("busy_cycles"),
			       of("busy_cycles") / measured[name] - 1)
		}' "$corpus/launches.csv" -
}

# errors SWITCH FILE: the rows of one file, as validate prints them.
errors() {
	local to=$out/$1.${2//\//-}.csv program from=$out/rows/$2.csv
	[ ! -s "$to" ] || return 0
	program=$(program "$1")
	[ -r "$from" ] || from=$folder/$2.csv # traces lie next to it
	case $2 in
	gains) gains "$program" ;;
	corpus) corpus "$program" ;;
	*) "$program" validate --config "$config" --jobs 1 --format csv "$from" ;;
	esac >"$to.new" 2>"$to.log"
	mv "$to.new" "$to"
}
export -f errors program gains corpus
export out folder config atomsim corpus here

# compare SET SWITCH FILE...: a line of the table.
compare() {
	local set=$1 name=$2 file pairs=()
	shift 2
	for file; do
		pairs+=("$out/whole.${file//\//-}.csv" "$out/$name.${file//\//-}.csv")
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
				} else if (set != "corpus") {
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
		for file in ${files[$set]}; do
			printf '%s %s\n' "$name" "$file"
		done
	done
done | xargs -P "$jobs" -L 1 bash -e -o pipefail -c 'errors "$0" "$1"'

echo "rule,set,rows,rows_changed,mean_points,low,high,p90_points,verdict"
for name in $(names "$@"); do
	for set in $sets; do
		# shellcheck disable=SC2086
		compare "$set" "$name" ${files[$set]}
	done
done

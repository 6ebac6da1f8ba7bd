#!/bin/bash
# SPDX-License-Identifier: MIT
# What --within says of the launches of within/set.csv, against whole runs.
#
#   within.sh HALF
#
# HALF: developed, the launches that the rules were made with; held-out, those at which nobody looked before the rules were there;
# all; fresh, those of within/fresh.csv, made when the rules were changed by what the held-out half had shown; loops, launches of one wave
# of long loops, within/loops.csv. The SHA-256 of a launch's name says which half it is of. ATOMSIM is the program. Prints a row for each launch and
# percentage; within-table.sh says how good they are.
set -e -o pipefail
export LC_ALL=C
half=$1 atomsim=${ATOMSIM-atomsim} set=set.csv
[[ $half == fresh || $half == loops ]] && set=$half.csv
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%U

half_of() {
	[[ $half == fresh ]] && echo fresh && return
	[[ $half == loops ]] && printf 'loops '
	[[ $(printf %s "$1" | sha256sum) == [0-7]* ]] && echo developed || echo held-out
}

# The trace of a row; a list of numbers has dots in it.
make_trace() {
	local words=() word text
	for word in "$@"; do
		[[ $word == IMAGE ]] && word=$here/../traces/images/camera-128.pgm
		[[ $word =~ ^[0-9]+(\.[0-9]+)+$ ]] && word=${word//./ }
		words+=("$word")
	done
	set -- "${words[@]}"
	case $1 in
	gen) "$atomsim" "$@" -o "$work/trace.bin" ;;
	assemble)
		text=$2
		shift 2
		"$atomsim" trace assemble "${@/#/--set=}" -o "$work/trace.bin" "$here/within/$text"
		;;
	*) cp "$here/../traces/$1.bin" "$work/trace.bin" ;;
	esac 2>"$work/errors" || {
		cat "$work/errors" >&2
		return 1
	}
}

# value FILE KEY
value() {
	grep -oE "\"$2\":[^,}]*" "$1" | sed '1s/^[^:]*://; s/"//g; 1q'
}

# simulate REPORT CONFIG SETTINGS OPTION...: prints the CPU seconds that it took.
simulate() {
	local report=$1 config=$2 settings=()
	read -r -a settings <<<"$3"
	shift 3
	{ time "$atomsim" run --config "$config" "${settings[@]/#/--set=}" --format json --no-baseline \
		--causes=no --reproducible --jobs 1 "$@" "$work/trace.bin" >"$report" 2>"$work/errors"; } 2>&1 || {
		cat "$work/errors" >&2
		return 1
	}
}

rows() {
	local name class config settings words line percent all_s part_s
	while IFS=, read -r name class config settings line; do
		[[ $half == all || $half == loops || $half == $(half_of "$name") ]] || continue
		read -r -a words <<<"$line"
		make_trace "${words[@]}"
		all_s=$(simulate "$work/all" "$config" "$settings")
		for percent in 10 5 2; do
			part_s=$(simulate "$work/part" "$config" "$settings" --within "$percent%")
			printf '%s,' "$name" "$class" "$(half_of "$name")" "$percent" \
				"$(value "$work/part" waves)" "$(value "$work/part" waves_simulated)" \
				"$(value "$work/all" cycles)" "$(value "$work/part" cycles)" \
				"$(value "$work/part" cycles_low)" "$(value "$work/part" cycles_high)" \
				"$(grep -oE '"warps":[0-9]+,"warp_instructions":[0-9]+' "$work/all" | sed 's/.*://')" "$(value "$work/part" warp_instructions_simulated)"
			echo "$all_s,$part_s,$(value "$work/part" sampled)"
		done
	done < <(tail -n +2 "$here/within/$set")
}

echo "name,class,half,percent,waves,waves_simulated,cycles,estimate,low,high,instructions,simulated,cpu_s,estimate_cpu_s,sampled"
rows

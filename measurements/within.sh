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
half=$1 set=set.csv
[[ $half == fresh || $half == loops ]] && set=$half.csv
# shellcheck source=measurements/within-launches.sh
. "$(dirname "$0")/within-launches.sh"

set_of() {
	case $half in
	fresh) echo fresh ;;
	loops) echo "loops $(half_of "$1")" ;;
	*) half_of "$1" ;;
	esac
}

rows() {
	local name class config settings words line percent all_s part_s
	while IFS=, read -r name class config settings line; do
		[[ $half == all || $half == loops || $half == $(set_of "$name") ]] || continue
		read -r -a words <<<"$line"
		make_trace "${words[@]}"
		all_s=$(simulate "$work/trace.bin" "$work/all" "$config" "$settings")
		for percent in 10 5 2; do
			part_s=$(simulate "$work/trace.bin" "$work/part" "$config" "$settings" --within "$percent%")
			printf '%s,' "$name" "$class" "$(set_of "$name")" "$percent" \
				"$(value "$work/part" waves)" "$(value "$work/part" waves_simulated)" \
				"$(value "$work/all" cycles)" "$(value "$work/part" cycles)" \
				"$(value "$work/part" cycles_low)" "$(value "$work/part" cycles_high)" \
				"$(instructions "$work/all")" "$(value "$work/part" warp_instructions_simulated)"
			echo "$all_s,$part_s,$(value "$work/part" sampled)"
		done
	done < <(tail -n +2 "$here/within/$set")
}

echo "name,class,half,percent,waves,waves_simulated,cycles,estimate,low,high,instructions,simulated,cpu_s,estimate_cpu_s,sampled"
rows

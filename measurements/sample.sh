#!/bin/bash
# SPDX-License-Identifier: MIT
# How good estimates from a sample of eight waves of blocks are, against runs of whole launches.
#
#   sample.sh [OPTION]... generated|FOLDER...
#
# generated: the launches of within/set.csv and within/fresh.csv, each on the machine of its row. FOLDER: traces of whole launches,
# PROGRAM-KERNEL-LAUNCH.bin, on the most of 132, 64, 32, 16, 8, 4, 2 or 1 SMs of a config on which the launch has as many waves as -w says.
# Of each kernel the launch whose name has the smallest SHA-256, and of these the first few of each program that a sample can be cut from.
#
#   -c CONFIG   the machine on which traces of a folder are simulated (h200)
#   -n NUMBER   launches of a program at most (2)
#   -s SECONDS  for one simulation at most (300)
#   -t SET      launches of this set alone: developed or held-out, by the SHA-256 of the launch's name; third-0, third-1 or third-2,
#               which is the SHA-256 of the program's name modulo 3; perhaps-seen, programs of thirds 1 and 2 that within/seen.list names
#   -w WAVES    that a launch of a folder has at least, 16 or more (16); of more the sets are named so: third-0-w32. "16 32": one after the other
#
# ATOMSIM is the program. Prints a row for each launch, with the reason where there is no estimate; sample-table.sh sums them up.
set -e -o pipefail
export LC_ALL=C
machine=h200 most=2 seconds=300 only='' least_waves=16
n_waves=8 # of a sample
# shellcheck source=measurements/within-launches.sh
. "$(dirname "$0")/within-launches.sh"

fail() {
	echo "sample.sh: $*" >&2
	exit 2
}

while getopts c:n:s:t:w: option; do
	case $option in
	c) machine=$OPTARG ;;
	n) most=$OPTARG ;;
	s) seconds=$OPTARG ;;
	t) only=$OPTARG ;;
	w) least_waves=$OPTARG ;;
	*) fail "sample.sh [OPTION]... generated|FOLDER..." ;;
	esac
done
shift $((OPTIND - 1))
[[ $# -gt 0 ]] || fail "'generated' or a folder of traces is needed"
for where; do
	[[ $where == generated || -d $where ]] || fail "'$where' is no folder"
done

# third PROGRAM: of base 16 a number has the rest modulo 3 that its digits' sum has.
third() {
	local sum digits i total=0
	sum=$(printf %s "$1" | sha256sum)
	digits=${sum%% *}
	for ((i = 0; i < ${#digits}; i++)); do
		total=$((total + 16#${digits:i:1}))
	done
	echo $((total % 3))
}

# set_of PROGRAM
set_of() {
	local third
	third=$(third "$1")
	if [[ $third != 0 ]] && grep -qxF -e "$1" "$here/within/seen.list"; then echo perhaps-seen; else echo "third-$third"; fi
}

# reason WHAT: what atomsim said first, without the file, as a field of a CSV
reason() {
	[[ -s $work/errors ]] || echo "over $seconds s" >"$work/errors"
	echo "no: $1: $(sed -E '1s/^atomsim: ([^ ]*: )?(--sample: )?//; s/[",]/;/g; 1q' "$work/errors")"
}

# cut_sample CONFIG SETTINGS: $work/sample.bin, or why not in $work/errors
cut_sample() {
	local settings
	read -r -a settings <<<"$2"
	"$atomsim" trace pack --sample "$n_waves" --config "$1" "${settings[@]/#/--set=}" --force -o "$work/sample.bin" \
		"$work/trace.bin" 2>"$work/errors"
}

# waves_of TRACE: of the launch of which it is a sample
waves_of() {
	"$atomsim" trace info "$1" | sed -nE 's/^sample .*"blocks":([0-9]+),"wave_blocks":([0-9]+).*/\1 \2/p' | awk '{ print int($1 / $2) }'
}

# compare CONFIG SETTINGS: the rest of the row of a launch whose sample is cut
compare() {
	local all_s part_s
	if ! all_s=$(simulate "$work/trace.bin" "$work/all" "$1" "$2" 2>"$work/errors"); then
		echo ",,,,,,,,,,,,$(reason "the whole launch")"
	elif ! part_s=$(simulate "$work/sample.bin" "$work/part" "$1" "$2" 2>"$work/errors"); then
		echo ",,$(value "$work/all" cycles),,,,,,,,,,$(reason "the sample")"
	else
		printf '%s,' "$(value "$work/part" waves)" "$(value "$work/part" waves_simulated)" \
			"$(value "$work/all" cycles)" "$(value "$work/part" cycles)" \
			"$(value "$work/part" cycles_low)" "$(value "$work/part" cycles_high)" \
			"$(instructions "$work/all")" "$(value "$work/part" warp_instructions_simulated)" \
			"$(stat -c %s "$work/trace.bin")" "$(stat -c %s "$work/sample.bin")" "$all_s" "$part_s"
		echo yes
	fi
}

generated() {
	local name class config settings words line sms
	while IFS=, read -r name class config settings line; do
		[[ -z $only || $only == "$(half_of "$name")" ]] || continue
		read -r -a words <<<"$line"
		make_trace "${words[@]}"
		[[ " $settings" =~ \ launch\.sms=([0-9]+) ]] && sms=${BASH_REMATCH[1]} || sms=
		printf '%s,' "$name" "$class" "$(half_of "$name")" "$config" "$sms"
		if cut_sample "$config" "$settings"; then
			compare "$config" "$settings"
		else
			echo ",,,,,,,,,,,,$(reason "pack")"
		fi
	done < <(tail -q -n +2 "$here/within/set.csv" "$here/within/fresh.csv")
}

# candidates FOLDER: "PROGRAM NAME", of each kernel a launch, in the order in which they are taken
candidates() {
	local trace name sum
	for trace in "$1"/*-*-*.bin; do
		name=$(basename "$trace" .bin)
		sum=$(printf %s "$name" | sha256sum)
		echo "${name%-*-*} ${sum%% *} ${name%-*} $name"
	done | sort | awk '!seen[$3]++ { print $1, $4 }'
}

# captured FOLDER WAVES
captured() {
	local program name sms set last="" n=0 least=$2
	while read -r program name; do
		set=$(set_of "$program")
		[[ -z $only || $only == "$set" ]] || continue
		[[ $program == "$last" ]] || n=0
		last=$program
		[[ $n -lt $most ]] || continue
		cp "$1/$name.bin" "$work/trace.bin"
		for sms in 132 64 32 16 8 4 2 1; do
			if cut_sample "$machine" "launch.sms=$sms"; then
				[[ $(waves_of "$work/sample.bin") -lt $least ]] || break
				echo "atomsim: fewer than $least waves" >"$work/errors"
			elif ! grep -q 'waves of' "$work/errors"; then
				break
			fi
		done
		[[ $least == 16 ]] || set=$set-w$least
		printf '%s,' "$name" "$program" "$set" "$machine" "$sms"
		if [[ -s $work/errors ]]; then
			echo ",,,,,,,,,,,,$(reason "pack")"
		else
			compare "$machine" "launch.sms=$sms"
			n=$((n + 1))
		fi
	done < <(candidates "$1")
}

echo "name,class,set,config,sms,waves,waves_simulated,cycles,estimate,low,high,instructions,simulated,bytes,sample_bytes,cpu_s,sample_cpu_s,sampled"
for where; do
	if [[ $where == generated ]]; then
		generated
		continue
	fi
	for waves in $least_waves; do
		captured "${where%/}" "$waves"
	done
done

#!/bin/bash
# SPDX-License-Identifier: MIT
# What does atomsim advise, and what do its what-ifs say of changes that were measured?
#
#   advice.sh CONFIG FOLDER TRACES [HELD_BACK] >advice.csv
#
# FOLDER has variants.csv, variants.list and variants/*.bin.xz, the traces of plain variants; TRACES is a folder of other traces.
# The L2 is warm, as it was when variants were measured.
# HELD_BACK: 0: only families that may be looked at; 1: only those held back; else all. ATOMSIM is the program.
# Prints a row a trace of TRACES, and one a variant. A gain is the plain variant's cycles over the variant's. Measured cycles are
# sm__cycles_elapsed.max less LAUNCH, which stand beside the cycles of a run (the start of the kernel to its last store drained).
# advised: the place of the variant's kind of change among what is advised for the plain variant, 0: it is not, -: the plain one.
set -e -o pipefail
export LC_ALL=C
LAUNCH=2900
config=$1 folder=$2 traces=$3 held=${4-} atomsim=${ATOMSIM-atomsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The advice on a trace, as JSON, an object of a list a line.
advice() {
	"$atomsim" advise --config "$config" --set launch.l2=warm --format json "$1" | sed 's/[[{]*{"gain"/\n&/g; s/"designs":/\n&/' >"$work/advice"
}

# cycles gain what-if, of what is advised first or all
advised() {
	sed '1d; /^"designs"/,$d' "$work/advice" |
		sed -nE 's/.*"gain":([0-9.e+]+),"cycles":([0-9]+),.*"what_if":"([^"]*)".*/\2 \1 \3/p'
}

simulated() {
	local trace=$1
	shift
	"$atomsim" run --config "$config" --set launch.l2=warm --no-baseline --causes=no --reproducible --format json "$@" "$trace" |
		grep -oE '"cycles":[0-9]+' | sed '1s/.*://; 1q'
}

# Changes of a kind go by the same name, in variants.csv as in what-ifs.
kind_of() {
	case $1 in
	copies* | warp-private | replicate=*) echo copies ;;
	aggregate=tree* | aggregate=serial* | aggregate=segments*) echo "${1%%,*}" ;; # no variant makes these
	aggregate*) echo aggregate ;;
	type*) echo type ;;
	block-private | private=block*) echo block-private ;;
	thread-private | private=thread*) echo thread-private ;;
	pad*) echo pad ;;
	hash=*) echo order ;;
	*) echo "$1" ;;
	esac
}

# The place of a kind among what is advised; 0: it is not.
place_of() {
	local n=0 change kind
	while read -r _ _ change; do
		n=$((n + 1))
		kind=$(kind_of "$change")
		[ "$kind" != "$1" ] || { echo $n; return; }
	done < <(advised)
	echo 0
}

row() { (IFS=, && echo "$*"); }

shipped() {
	local trace name cycles gain change
	for trace in "$traces"/*.bin; do
		name=$(basename "$trace" .bin)
		advice "$trace"
		read -r cycles gain change < <(advised) || cycles='' gain='' change=''
		row trace "$name" '' - "\"$change\"" '' '' "$cycles" "${gain:+$(printf %.3f "$gain")}" '' ''
	done
}

pairs() {
	local family variant change elapsed back first base cycles what
	while IFS=, read -r family variant change elapsed back; do
		[ -z "$held" ] || [ "$held" = all ] || [ "$back" = "$held" ] || continue
		[ -f "$folder/variants/$family.bin.xz" ] || continue
		elapsed=$((elapsed - LAUNCH))
		if [ "$family" = "$variant" ]; then
			xz -dc "$folder/variants/$family.bin.xz" >"$work/$family.bin"
			advice "$work/$family.bin"
			base=$(simulated "$work/$family.bin") first=$elapsed
			row pair "$family" "$variant" - '' "$elapsed" 1 "$base" 1 - "$back"
			continue
		fi
		what=$(awk -v name="$variant" '$1 == name { print $2 }' "$folder/variants.list")
		cycles=''
		[ -z "$what" ] || cycles=$(simulated "$work/$family.bin" --what-if "$what" 2>"$work/why") || cycles=''
		row pair "$family" "$variant" "$change" "\"$what\"" "$elapsed" \
			"$(awk "BEGIN { printf \"%.3f\", $first / $elapsed }")" "$cycles" \
			"${cycles:+$(awk "BEGIN { printf \"%.3f\", $base / $cycles }")}" \
			"$(place_of "$(kind_of "$change")")" "$back"
	done < <(awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ printf "%s,%s,%s,%s,%s\n", $column["plain"], $column["variant"], $column["change"],
			$column["cycles_elapsed"], $column["held_back"] }' "$folder/variants.csv")
}

echo set,family,variant,change,what_if,measured_cycles,measured_gain,simulated_cycles,simulated_gain,advised,held_back
[ "$held" = 1 ] || shipped
pairs

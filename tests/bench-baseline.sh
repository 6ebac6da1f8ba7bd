#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How much faster than a named commit: its atomsim is built once under bench/, and both run in turn on
# the same traces, one core, processor time. BENCH_COMMIT names another one, BENCH_PAIRS how many turns.
set -u
# shellcheck source=tests/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

commit=${BENCH_COMMIT:-e1355e7}
turns=${BENCH_PAIRS:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
base=$(built "$commit" "$PWD/bench/$commit") || {
	echo "baseline: commit $commit is not at hand here, or does not build; no ratios"
	exit 0
}

voting() { # NAME STEPS OPTION...
	local name=$1 steps=$2
	shift 2
	"$base" gen voting --blocks 16 --warps 32 --steps "$steps" "$@" -o "$folder/$name.bin"
}
pattern() { # NAME REPEAT ADDRESSES
	"$base" gen pattern --blocks 16 --warps 32 --repeat "$2" --addresses "$3" -o "$folder/$1.bin"
}

voting uniform 512 --words 256
voting one-word 16 --distribution hot
voting conflict-free 2048 --distribution lanes --words 1024
pattern eight-way 64 "$(for ((lane = 0; lane < 32; lane++)); do echo $((lane % 8 * 32 + lane / 8)); done | xargs)"
pattern stride 64 "$(seq -s ' ' 0 32 992)"

printf '%-34s %10s %10s %8s\n' "one core, processor seconds" "$commit" "now" "ratio"
row() { # CONFIG TRACE NAME
	local old new ratio
	read -r old new ratio < <(pairs "$turns" \
		"env ATOMSIM_CONFIG_PATH=$(dirname "$(dirname "$base")")/configs $base --config $1 --jobs 1 --no-baseline $2" \
		"env ATOMSIM_CONFIG_PATH=$SOURCE/configs $ATOMSIM --config $1 --jobs 1 --no-baseline $2")
	printf '%-34s %10s %10s %8s\n' "$3" "$old" "$new" "$ratio"
	[ "$ratio" = failed ] || echo "$ratio" >>"$folder/$4"
}
for name in uniform one-word conflict-free eight-way stride; do
	row fermi.json "$folder/$name.bin" "$name, fermi" synthetic
done
# The traces that the commit ships, which every later one reads, many times over: most take a millisecond.
for config in fermi.json h200.json; do
	for trace in "$(dirname "$(dirname "$base")")"/traces/*.bin; do
		row $config "$(for ((i = 0; i < 20; i++)); do echo "$trace"; done | xargs)" \
			"$(basename "$trace" .bin), ${config%.json}" shipped
	done
done
awk '{ sum += log($1) } END { printf "geometric mean of the shipped traces: %.2f\n", exp(sum / NR) }' "$folder/shipped"
row fermi.json "$(dirname "$(dirname "$base")")/traces/transpose.bin" "transpose once, start and all" once

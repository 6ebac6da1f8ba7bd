#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `--within 2%` saves where one wave of long blocks is all there is: traces of four shapes, whole and estimated in turn.
# An iteration of the loop is an atomic and seven other instructions. Processor seconds, medians of BENCH_PAIRS turns, and whether the interval holds the whole run's cycles.
set -u
# shellcheck source=tests/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

one_sm() { # NAME WORKLOAD OPTION...
	"$ATOMSIM" gen "${@:2}" --dataflow yes --blocks 1 --warps 32 --alu 7 -o "$folder/$1.bin" || exit 1
}
number() { # FILE KEY
	grep -oE "\"$2\":[0-9]+" "$1" | sed '1s/.*://; 1q'
}

one_sm random voting --steps 2048 --words 256
one_sm stride pattern --repeat 2048 --addresses "$(seq -s ' ' 0 32 992)"
one_sm eight-way pattern --repeat 2048 --addresses "$(for ((lane = 0; lane < 32; lane++)); do echo $((lane % 8 * 32 + lane / 8)); done | xargs)"
one_sm one-word voting --steps 2048 --distribution hot

echo '| trace | whole, s | within 2 %, s | part of the time | at most | cycles | estimate | interval | holds |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
while read -r name most text; do
	each=("$ATOMSIM" --config fermi.json --set launch.sms=1 --jobs 1 --no-baseline --causes=no --format json --reproducible)
	part=("${each[@]}" --within 2% "$folder/$name.bin")
	each+=("$folder/$name.bin")
	figures=$(pairs "${BENCH_PAIRS:-5}" "$processor" 1 "${each[*]@Q}" "${part[*]@Q}") || exit 1
	"${each[@]}" >"$folder/whole" && "${part[@]}" >"$folder/part" || exit 1
	read -r whole_s part_s gain <<<"$figures"
	awk -v text="$text" -v whole="$whole_s" -v part="$part_s" -v gain="$gain" -v most="$most" \
		-v cycles="$(number "$folder/whole" cycles)" -v estimate="$(number "$folder/part" cycles)" \
		-v low="$(number "$folder/part" cycles_low)" -v high="$(number "$folder/part" cycles_high)" \
		'BEGIN { printf "| %s | %.3f | %.3f | %.2f | %s | %d | %d | %d to %d | %s |\n", text, whole, part, 1 / gain, most,
			cycles, estimate, low, high, low <= cycles && cycles <= high ? "yes" : "no" }'
done <<-EOF
	random 0.50 random words
	stride 0.33 stride 32
	eight-way 0.50 8-way bank conflicts
	one-word 0.17 one word
EOF

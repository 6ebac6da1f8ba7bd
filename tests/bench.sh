#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How fast atomsim is, as the tables of docs/dev/performance.md. The first is against a named commit,
# BENCH_COMMIT, whose atomsim is built once under bench/: both run in turn on the same traces, on one core;
# processor time, medians of BENCH_PAIRS turns, of full grids of BENCH_GRIDS. Figures and ratios, no verdicts.
set -u
# shellcheck source=tests/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

commit=${BENCH_COMMIT:-e1355e7}
turns=${BENCH_PAIRS:-5}
grid_turns=${BENCH_GRIDS:-9}

pattern() { # NAME ADDRESSES
	"$ATOMSIM" gen pattern --blocks 16 --warps 32 --repeat 64 --addresses "$2" -o "$folder/$1.bin"
}
voting() { # NAME STEPS OPTION...
	local name=$1 steps=$2
	shift 2
	"$ATOMSIM" gen voting --blocks 16 --warps 32 --steps "$steps" "$@" -o "$folder/$name.bin"
}
votes() { # NAME THREADS OPTION...
	local name=$1 threads=$2
	shift 2
	"$ATOMSIM" gen global-atomics --threads "$threads" "$@" -o "$folder/$name.bin"
}
make_traces() {
	votes grid-one-word 2097152 --words 1
	votes grid-words 2097152 --words 65536
	votes grid-many 270336 --steps 64 --words 65536
	votes grid-random 2097152 --words 65536 --order random
	votes grid-swaps 16384 --words 1
	voting uniform 512 --words 256
	voting one-word 16 --distribution hot
	voting conflict-free 2048 --distribution lanes --words 1024
	voting longer 20480 --distribution lanes --words 1024
	pattern eight-way "$(for ((lane = 0; lane < 32; lane++)); do echo $((lane % 8 * 32 + lane / 8)); done | xargs)"
	pattern stride "$(seq -s ' ' 0 32 992)"
}

# Figures of the engine are of every SM simulated; what SMs with equal blocks save, which are simulated once, has
# columns of its own.
run() { # CONFIG TRACE...
	local config=$1
	shift
	"$ATOMSIM" --config "$config" --jobs 1 --no-baseline "$@"
}

# --- Against the named commit ---

# ratio CONFIG RUNS TRACE...: as `pairs`, each version with its own configs, every SM simulated by both.
ratio() {
	local config=$1 runs=$2 old new
	shift 2
	old=(env "ATOMSIM_CONFIG_PATH=$old_source/configs" "$base")
	new=(env "ATOMSIM_CONFIG_PATH=$SOURCE/configs" "$ATOMSIM" --all-sms)
	old+=(--config "$config" --jobs 1 --no-baseline "$@")
	new+=(--config "$config" --jobs 1 --no-baseline "$@")
	pairs "$turns" "$processor" "$runs" "${old[*]@Q}" "${new[*]@Q}"
}

# equal CONFIG TRACE...: the same of every SM simulated and of those once that do the same.
equal() {
	local each=("$ATOMSIM" --config "$1" --jobs 1 --no-baseline)
	local once=("${each[@]}" "${@:2}")
	each+=(--all-sms "${@:2}")
	pairs "$turns" "$processor" 1 "${each[*]@Q}" "${once[*]@Q}"
}

# SMs that a trace is simulated on, of those that get blocks.
simulated() { # CONFIG TRACE
	run "$1" "$2" 2>&1 >/dev/null | grep -oE '[0-9]+ of [0-9]+ SMs' | head -n 1
}

# Executed warp instructions of a trace, retries included.
instructions() { # NAME CONFIG OPTION...
	local name=$1 config=$2
	shift 2
	run "$config" --format csv "$@" "$folder/$name.bin" 2>/dev/null |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "warp_instructions") at = i } NR == 2 { print $at }'
}

synthetic() {
	local old new quotient once saved name aim text figures
	echo "| trace | $commit, s | now, every SM, s | before / now | million warp instructions a second now | SMs simulated | equal ones once, s | before / now | aim |"
	echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
	while read -r name aim text; do
		figures=$(ratio fermi.json 1 "$folder/$name.bin") || exit 1
		read -r old new quotient <<<"$figures"
		figures=$(equal fermi.json "$folder/$name.bin") || exit 1
		read -r _ once saved <<<"$figures"
		awk -v text="$text" -v old="$old" -v new="$new" -v ratio="$quotient" -v aim="$aim" \
			-v sms="$(simulated fermi.json "$folder/$name.bin")" -v once="$once" -v saved="$saved" \
			-v n="$(instructions "$name" fermi.json)" \
			'BEGIN { printf "| %s | %.3f | %.3f | %.2f | %.1f | %s | %.3f | %.1f | %s |\n", text, old, new, ratio, n / new / 1e6,
				sms ? sms : "all", once, ratio * saved, aim }'
	done <<-EOF
		uniform 2 uniform over 256 words
		one-word 3 all lanes on one word
		conflict-free 2.5 conflict-free
		eight-way 2.5 8-way bank conflicts
		stride 2.5 stride 32
	EOF
}

# The traces that the commit ships, which every later one reads: most take a millisecond, so each is given
# 20 times to one process; and once, as most are used, ten processes in a row.
captured() {
	local config trace times many once equal_ones sms
	: >"$folder/ratios"
	for config in fermi h200; do
		for trace in "$old_source"/traces/*.bin; do
			mapfile -t times < <(for ((i = 0; i < 20; i++)); do echo "$trace"; done)
			many=$(ratio "$config.json" 1 "${times[@]}") || exit 1
			once=$(ratio "$config.json" 10 "$trace") || exit 1
			sms=$(simulated "$config.json" "$trace")
			equal_ones='0 0 1'
			if [ -n "$sms" ]; then
				equal_ones=$(equal "$config.json" "${times[@]}") || exit 1
			fi
			echo "$config $(basename "$trace" .bin) $many $once $equal_ones" >>"$folder/ratios"
		done
	done
	awk '{ n[$1]++; many[$1] += log($5); saved[$1] += log($11); once[$1] += log($8); all++
		all_many += log($5); all_saved += log($11); all_once += log($8); with_equal += $10 > 0 }
		END { printf "| captured traces, geometric mean of %d | | | %.2f | | fewer in %d | | %.2f | 2 |\n", all,
			exp(all_many / all), with_equal, exp((all_many + all_saved) / all)
		split("fermi h200", configs, " ")
		for (i = 1; (c = configs[i]) != ""; i++)
			printf "| those on `%s.json` | | | %.2f | | | | %.2f | |\n", c, exp(many[c] / n[c]),
				exp((many[c] + saved[c]) / n[c])
		printf "| each in a process of its own, start and all | | | %.2f | | | | | |\n", exp(all_once / all) }' "$folder/ratios"
}

against_commit() {
	base=$(built "$commit" "$PWD/bench/$commit") || {
		echo "bench: commit $commit is not at hand here, or does not build (bench/$commit/log); no ratios" >&2
		return
	}
	old_source=$(dirname "$(dirname "$base")")
	synthetic
	captured
	echo
}

# --- By itself ---

# Full grids of 132 SMs that add to global memory, which the older commit has not. The aim is for the first two. Turns
# of these differ by half on one machine from minute to minute, so each turn takes all of them, and there are more turns.
grid_rows() { # name, aim, what it is
	cat <<-EOF
		grid-one-word 5 2,097,152 threads add to one word
		grid-words 5 they add to 65,536 words, a warp to 32 in a row
		grid-many - 270,336 threads add 64 times each to 65,536 words, a warp to 32 in a row
		grid-random - 2,097,152 threads add to any of 65,536 words: some 32 packets a warp
		grid-swaps - 16,384 threads add to one word by compare-and-swap
	EOF
}

grid_options() { # NAME
	[ "$1" != grid-swaps ] || echo --set global.atomic.mechanism=cas-loop
}

grids() {
	local name aim text measured
	for ((turn = 0; turn < grid_turns; turn++)); do
		while read -r name _; do
			# shellcheck disable=SC2046 # options are words
			measured=$(seconds "$processor" 1 run h200.json $(grid_options "$name") "$folder/$name.bin") ||
				return 1
			echo "$measured" >>"$folder/$name.turns"
		done < <(grid_rows)
	done
	echo "| atomics on global memory by a full grid, \`h200.json\`; medians of $grid_turns turns | s | of the fastest turn | million warp instructions a second | aim |"
	echo '| --- | --- | --- | --- | --- |'
	while read -r name aim text; do
		mapfile -t measured < <(sort -n "$folder/$name.turns")
		# shellcheck disable=SC2046
		awk -v text="$text" -v s="$(median "${measured[@]}")" -v best="${measured[0]}" -v aim="${aim/-/}" \
			-v n="$(instructions "$name" h200.json $(grid_options "$name"))" \
			'BEGIN { printf "| %s | %.3f | %.3f | %.2f | %s |\n", text, s, best, n / s / 1e6, aim }'
	done < <(grid_rows)
	echo
}

sweep() { # AXIS
	"$ATOMSIM" sweep --config fermi.json --jobs 2 --vary "atomic.locks=64..1024:*2" \
		--vary "atomic.lock_hash=mod,xor,ipoly,{\"xor\":[5]}" --vary "shared.bank_hash=mod,xor" \
		--vary "$1" --output "$folder/${1%%=*}" "$SOURCE/traces/histogram.bin"
}

row() { # TEXT AIM COMMAND...: wall seconds
	local text=$1 aim=$2 measured
	shift 2
	measured=$(seconds "$wall" 1 "$@") || exit 1
	printf '| %s | %.1f s | %s |\n' "$text" "$measured" "$aim"
}

on_threads() { # COUNT
	"$ATOMSIM" --config fermi.json --jobs "$1" --no-baseline "$folder/uniform.bin"
}

peak_kib() { # NAME
	run fermi.json "$folder/$1.bin" 2>&1 >/dev/null | sed -n 's/.*peak memory \([0-9]*\) KiB.*/\1/p'
}

by_itself() {
	local figures
	echo '| what, in wall time | measured | aim |'
	echo '| --- | --- | --- |'
	figures=$(pairs "$turns" "$wall" 1 'on_threads 1' 'on_threads 2') || exit 1
	awk '{ printf "| uniform, 16 SMs, with one thread and with two | %.3f, %.3f s: %.2f times | 1.9 |\n", $1, $2, $3 }' \
		<<<"$figures"
	row "sweep of 1,000 points of \`histogram.bin\`: \`sm.max_warps\` and three more keys, two threads" "6 s" \
		sweep "sm.max_warps=24..48"
	row "another, of \`t_position_cycles\`: every point differs" "" \
		sweep "atomic.lock_bits.t_position_cycles=108..132"
	./tests/bench-import
	echo "| peak memory, conflict-free, of 2,048 steps and of 20,480 | $(
		peak_kib conflict-free), $(peak_kib longer) KiB | the same |"
	echo
}

make_traces
against_commit
grids || exit 1
by_itself
./tests/bench-analysis
echo
./tests/bench-decode
if [ -s "$folder/ratios" ]; then
	echo
	echo "| captured trace, config | $commit, 20 replays, s | now, every SM, s | before / now | equal SMs once: before / now | in a process of its own: before / now |"
	echo '| --- | --- | --- | --- | --- | --- |'
	awk '{ printf "| %s, %s | %.4f | %.4f | %.2f | %.2f | %.2f |\n", $2, $1, $3, $4, $5, $5 * $11, $8 }' "$folder/ratios"
fi

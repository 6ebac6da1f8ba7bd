#!/bin/bash
# SPDX-License-Identifier: MIT
# What a run keeps is bounded by the blocks that are resident and the words that they touch: a kernel of more blocks, or of
# longer ones, takes no more memory, nor do more kernels. And what is said of it is this program's.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 99
# The address sanitizer, where built in, keeps what was freed: not counted here.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=0

# peak THREADS STEPS RESULT RUN-OPTION...: KiB of a run of adds to 256 words by four SMs, whose warps have 64 accesses under way at most
peak() {
	local threads=$1 steps=$2 result=$3
	shift 3
	"$ATOMSIM" gen global-atomics --threads "$threads" --steps "$steps" --words 256 --order random --result "$result" \
		--force -o grid.bin || return 1
	"$ATOMSIM" run --config h200.json --set sm.count=4 --jobs 1 --no-baseline --causes=no "$@" grid.bin 2>&1 >/dev/null |
		sed -n 's/.*peak memory \([0-9]*\) KiB.*/\1/p'
}

# bounded NAME SMALL LARGE: at most an eighth and 1 MiB (an index entry a block) more; a run that failed has no size
bounded() {
	check "$1: $2 and $3 KiB" test "$3" -le $((${2:--1024} * 9 / 8 + 1024))
}

# Long enough that the queue of each SM has been full.
resident=$(peak 8192 256 yes)
bounded "blocks four times as long take no more memory" "$resident" "$(peak 8192 1024 yes)"
bounded "nor do four times as many" "$resident" "$(peak 32768 256 yes)"
leaving=$(peak 8192 1 no)
bounded "nor do 32 times as many whose warps do not wait for what they have sent" "$leaving" "$(peak 262144 1 no)"
swaps=$(peak 8192 2 yes --set global.atomic.mechanism=cas-loop)
bounded "nor do those that try again and again" "$swaps" "$(peak 65536 2 yes --set global.atomic.mechanism=cas-loop)"

# many COUNT: KiB when the last of so many small traces has been replayed
many() {
	local traces=()
	for ((i = 0; i < $1; i++)); do traces+=("$SOURCE/traces/scan.bin"); done
	"$ATOMSIM" run --config fermi.json --jobs 1 --no-baseline "${traces[@]}" 2>&1 >/dev/null |
		sed -n '$s/.*peak memory \([0-9]*\) KiB.*/\1/p'
}

first=$(many 20)
bounded "nor do 20 times as many traces" "$first" "$(many 400)"

# Commands that look at a whole trace, block by block: many small ones.
for blocks in 1000 8000; do
	"$ATOMSIM" gen voting --words 64 --steps 1 --warps 16 --blocks $blocks -o $blocks.bin || exit 99
done
for look in "trace info" "trace check" "trace dump" "trace pack --force -o packed.bin"; do
	read -ra words <<<"$look"
	bounded "'atomsim $look' of 8 times as many blocks takes no more memory" \
		"$("$BUILD/tests/peak" "$ATOMSIM" "${words[@]}" 1000.bin)" \
		"$("$BUILD/tests/peak" "$ATOMSIM" "${words[@]}" 8000.bin)"
done

# keeps KIND NAME: what a warp must keep of 1.6 million records takes at most 25 bytes each
keeps() {
	"$BUILD/tests/long-warp" "$1" 100 few.bin && "$BUILD/tests/long-warp" "$1" 1600000 many.bin || return 1
	check "$2: $(stat -c %s many.bin) bytes of trace, $(kept few.bin) and $(kept many.bin) KiB" \
		test "$(kept many.bin)" -le $(($(kept few.bin) + 40000))
}
kept() {
	"$ATOMSIM" run --config h200.json --jobs 1 --no-baseline --causes=no "$1" 2>&1 >/dev/null |
		sed -n 's/.*peak memory \([0-9]*\) KiB.*/\1/p'
}

keeps votes "a critical section of many votes is kept packed"
keeps atoms "so are its atomics on the same words"
keeps walk "those that walk through an array"
keeps values "those with operands"
keeps poll "and the arithmetic behind a load that waits for another block"

# A program that had 200 MB becomes atomsim.
own=$(kept few.bin)
of_large() {
	(
		# shellcheck disable=SC2034 # it is only to be large
		large=$(head -c 200000000 /dev/zero | tr '\0' x)
		exec "$ATOMSIM" run --config h200.json --jobs 1 --no-baseline few.bin
	) 2>&1 >/dev/null | sed -n 's/.*peak memory \([0-9]*\) KiB.*/\1/p'
}
bounded "peak memory is its own, not that of what started it" "$own" "$(of_large)"
name="where /proc is missing it says that it may be another's"
if unshare -rm sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
	# shellcheck disable=SC2016 # expanded by the inner shell
	check "$name" unshare -rm sh -c 'mount -t tmpfs none /proc &&
		"$ATOMSIM" run --config h200.json --jobs 1 few.bin 2>&1 >/dev/null | grep -E "up to [0-9]+ KiB \(no /proc"'
else
	skip "$name" "no namespaces for this user"
fi

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# Thread-local memory in the simulation: whose words a warp finds in the first cache, and what stores and loads of one SM take from each other.
# shellcheck disable=SC2016 # $warp is the texts' own
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$work" || exit 99

# cycles TEXT [OPTION]...: of the program on the H200
cycles() {
	printf '%s\n' "$1" >program.trace
	"$ATOMSIM" trace assemble -o program.bin program.trace || exit 99
	"$ATOMSIM" run --config h200 "${@:2}" --format json program.bin 2>said | grep -o '"cycles":[0-9]*' | head -n 1 | cut -d : -f 2
}

# by BUFFER STORER LOADER: the second warp or block loads what the first has stored
by() {
	echo "$1; if $2 { stg 4 b at \$lane * 4 }; bar; if $3 { v = ldg 4 b at \$lane * 4; x = int v }"
}
heads='blocks 1; warps 2; shared 128'
shared=$(cycles "$(by "$heads; buffer b 4096" '$warp == 0' '$warp == 1')")
own=$(cycles "$(by "$heads; buffer b 4096 local" '$warp == 0' '$warp == 0')")
others=$(cycles "$(by "$heads; buffer b 4096 local" '$warp == 0' '$warp == 1')")
echo "$shared $own $others" >said
check "a warp finds in the first cache what it has stored itself" test "$own" -lt $((shared + 20))
check "and not what another warp has stored at the same place of its own" test "$others" -gt $((shared + 150))

# All SMs store at once: where they have one place, they wait for its slice.
many='blocks 132; warps 1; shared 128; buffer b 4096'
stores='; repeat 32 { stg 4 b at $lane * 4 }'
crowd=$(cycles "$many$stores")
apart=$(cycles "$many local$stores")
echo "$crowd $apart" >said
check "SMs have places of their own" test "$apart" -lt $((crowd / 2))

# SMs that do the same are simulated once where they share no memory, and nobody can tell.
# Of a first cache of eight lines, each in its set, a load of another buffer takes one.
flat=(--set global.model=flat --set launch.warps=together --set sm.max_warps=5 --set global.l1_bytes=1024 --set global.l1_ways=1
	--set global.l1_split=none)
sets='blocks 8; warps 1; shared 128; buffer b 4224 local; buffer c 4096; stg 4 b at $lane * 4; v = ldg 4 b at $lane * 4; x = int v
v = ldg 4 c at 256 + $lane * 4 from x; x = int v; v = ldg 4 b at $lane * 4 from x; x = int v'
once=$(cycles "$sets" "${flat[@]}")
each=$(cycles "$sets" "${flat[@]}" --all-sms)
echo "$once $each" >said
check "each SM takes as long, simulated or not" test "$once" = "$each"

# Counted: 4 stores of 2 segments and a load of one by each of 8 blocks' two warps; the line of the stores moves most.
counted='blocks 8; warps 2; shared 128; buffer a 65536; buffer b 4096 local
repeat 4 as i { stg 8 b at $i * 256 + $lane * 8 }
v = ldg 4 b at $lane * 4; x = int v
stg 4 a at $lane * 4 from x; v = ldg 4 a at 4096 + $lane * 4'
# counts WORDS [OPTION]...: whether the run's report has them
counts() {
	"$ATOMSIM" run --config h200 --reproducible "${@:2}" program.bin >said 2>&1 && tr -s ' \n' ' ' <said | grep -qF "$1"
}
cycles "$counted" >said
check "loads, stores and segments of thread-local memory are counted" counts '"local":{"loads":16,"stores":64,"segments":144}' --format json
check "of SMs simulated once, too" counts '"local":{"loads":16,"stores":64,"segments":128}' --format json --set global.model=flat
check "and of each instruction" counts '"local_segments":16' --format json
check "in SMs simulated once, too" counts '"local_segments":128' --format json --set global.model=flat
check "the report says how much of all it is, on which line, and what helps" counts \
	'Local 16 of 32 loads, 64 of 80 stores are thread-local, 81.8 % of segments most at program.trace:2 (88.9 %) arrays'
"$ATOMSIM" gen reduction --elements 2048 -o program.bin || exit 99 # accesses without addresses
check "a trace without such memory has none" counts '"local":{"loads":0,"stores":0,"segments":0}' --format json
# silent: the report is there and says nothing of it
silent() {
	counts 'Banks ' && ! grep -q '^Local' said
}
check "and the report says nothing of it" silent

# Blocks of one warp go round the four schedulers.
one='--set sm.count=1 --set sm.max_blocks=1'
# shellcheck disable=SC2086 # several options
later=$(cycles "$(by 'blocks 5; warps 1; shared 128; buffer b 4096 local' '$block == 0' '$block == 4')" $one)
# shellcheck disable=SC2086
never=$(cycles "$(by 'blocks 5; warps 1; shared 128; buffer b 4096 local' '$block == 5' '$block == 4')" $one)
echo "$later $never" >said
check "a block that comes later to the same place finds what the earlier one has left" test "$later" -lt $((never - 150))

# refused TEXT WORDS: assembling it is an error
refused() {
	local status=0
	printf '%s\n' "$1" >refused.trace
	"$ATOMSIM" trace assemble -o refused.bin refused.trace 2>said || status=$?
	cat said
	[ "$status" -eq 1 ] && grep -qF "$2" said
}
check "two buffers of thread-local memory are refused" refused \
	'buffer a 4096 local; buffer b 4096 local; v = ldg 4 a at 0' 'has a buffer whose "local" is'

for text in 'buffer b 4096 local; atomg add u32 b at 0' 'buffer b 4096 local; lock b at 0; unlock b at 0'; do
	check "an atomic or a lock in thread-local memory is refused" refused "$text" 'allowed in thread-local memory: ldg, stg'
done
check "thread-local memory of which touched lines alone take room is refused" refused \
	'buffer b 4096 local sparse 1; v = ldg 4 b at 0' 'that all blocks share'
check "thread-local memory of each block is refused" refused 'buffer b 4096 each local; v = ldg 4 b at 0' local

# both LAYOUT: 32 lines, loaded and stored by 32 warps
both() {
	"$ATOMSIM" trace assemble --set op=both --set width=4 --set lines=32 --set "layout=$1" --set from=l1 --set blocks=1 --set warps=32 \
		--set loads=4 -o both.bin "$SOURCE/measurements/forms/access-lines.trace" || exit 99
	"$ATOMSIM" run --config h200 --format json both.bin 2>said | grep -o '"cycles":[0-9]*' | head -n 1 | cut -d : -f 2
}
conflicts=$(both packed)
free=$(both shifted)
echo "$conflicts $free" >said
check "loads whose words share banks hold stores up: 97 cycles where others take 64, as measured" test \
	$((conflicts * 64)) -gt $((free * 90)) -a $((conflicts * 64)) -lt $((free * 104))
done_testing

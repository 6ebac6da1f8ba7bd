#!/bin/bash
# SPDX-License-Identifier: MIT
# A sweep against what can happen to it: kill -9 at any moment, a full disk, a second writer, a
# journal with a torn end, a broken trace. Each time it must go on from what was safe, compute
# nothing twice, and end with the bytes of a sweep that nothing happened to.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 99
# What is looked at is how files grow, not how memory is used: checks of that only take time here.
unset MALLOC_PERTURB_

"$ATOMSIM" gen voting --words 64 --blocks 16 --warps 8 --steps 32 -o trace.bin || exit 99
# 120 points, each of which is simulated: a sweep takes long enough to be stopped on its way.
sweep=("$ATOMSIM" sweep --config fermi.json --vary "atomic.locks=32..1024:*2"
	--vary "atomic.lock_hash=mod,xor" --vary atomic.lock_bits.t_position_cycles=120..129:+1 --jobs 2 trace.bin)
n_points=120

"${sweep[@]}" -o reference 2>said || cat said
check "a sweep has all its points, in order" test \
	"$(sed -E 's/^\{"point":([0-9]+),.*/\1/' reference/results.jsonl)" = "$(seq $n_points)"

lines() {
	if [ -e "$1/journal.jsonl" ]; then wc -l <"$1/journal.jsonl"; else echo 0; fi
}

# wait_for FOLDER N: until the journal has N lines, or there is none any more
wait_for() {
	while kill -0 "$!" 2>/dev/null && [ "$(lines "$1")" -lt "$2" ] && [ ! -e "$1/results.jsonl" ]; do
		sleep 0.005
	done
}

# kill_at FOLDER N SIGNAL: runs on, and kills when N lines are in the journal
kill_at() {
	"${sweep[@]}" -o "$1" --resume 2>said &
	wait_for "$1" "$2"
	kill -s "$3" $! 2>/dev/null
	wait $! 2>/dev/null
}

# whole_lines FILE: its lines but for a torn last one
whole_lines() {
	head -n "$(wc -l <"$1")" "$1"
}

begins_with() {
	cmp -n "$(stat -c %s "$2")" "$1" "$2"
}

n_kills=0
for n in 0 1 13 40 41 80; do
	touch before
	[ ! -e killed/journal.jsonl ] || whole_lines killed/journal.jsonl >before
	kill_at killed "$n" KILL
	[ ! -e killed/results.jsonl ] || break
	n_kills=$((n_kills + 1))
	[ -e killed/journal.jsonl ] || continue
	begins_with killed/journal.jsonl before >differs 2>&1 || {
		not_ok "a sweep killed at line $n keeps what was done" differs
		break
	}
done
check "a sweep can be killed several times before it ends" test "$n_kills" -ge 4
# The last kill can come too late, when the results are there already.
if [ -e killed/results.jsonl ]; then cp killed/results.jsonl found; else whole_lines killed/journal.jsonl >found; fi
check "no point is computed twice, however often it is killed" test -z \
	"$(cut -d, -f1 found | sort | uniq -d)"
n_found=$(wc -l <found)
"${sweep[@]}" -o killed --resume 2>said
check "the rest alone is computed in the end" grep -qE \
	"$((n_points - n_found)) points? \($n_found more found\)" said
# A file that was being written when a KILL came stays under its temporary name; nobody reads it.
check "a sweep that was killed again and again ends with the same bytes" diff -r reference killed

# The signal can come too late, as above; then there is nothing to see, and it is tried again.
for _ in 1 2 3 4 5 6; do
	rm -rf "stopped here"
	kill_at "stopped here" 20 INT
	[ -e "stopped here/results.jsonl" ] || break
done
check "an interrupted sweep says how far it is" grep -qE 'interrupted after [0-9]+ of 120 points$' said
sed -n 's/^atomsim: resume with: //p' said >again
check "the command that it prints resumes it" bash again
check "it then ends with the same bytes" diff -r reference "stopped here"

# A whole journal: a folder in the table's place keeps it from becoming results.
mkdir -p noted/results.csv
"${sweep[@]}" -o noted 2>said
check "a journal has a line a point, each shorter than 1 kB" \
	test "$(lines noted) $(awk 'length >= 1000' noted/journal.jsonl | wc -l)" = "120 0"

# What --resume does before its first point must not grow faster than what was done.
# Counted are bytes that the program reads, of 2,000 points whose files are far larger than what it reads of its own.
long=("$ATOMSIM" sweep --config fermi.json --vary "sm.max_warps=8,16"
	--vary "atomic.lock_bits.t_position_cycles=120..1119:+1" --jobs 2 short.bin)
# read_by COMMAND...: how many bytes it reads
read_by() (
	io=/proc/$BASHPID/io
	before=$(sed -n 's/^rchar: //p' "$io")
	"$@" >said 2>&1
	after=$(sed -n 's/^rchar: //p' "$io")
	echo $((after - before))
)
if [ -r /proc/self/io ]; then
	"$ATOMSIM" gen voting --words 16 --steps 2 --blocks 2 --warps 2 -o short.bin 2>said
	mkdir -p long/results.csv
	"${long[@]}" -o long 2>said
	stat -c '%i %s' long/journal.jsonl >before
	check "a journal of 2,000 points is there" test "$(lines long)" = 2000
	n_read=$(read_by "${long[@]}" -o long --resume)
	n_journal=$(stat -c %s long/journal.jsonl)
	check "a whole journal is read once: $n_read bytes for its $n_journal" test $((n_read * 2)) -lt $((n_journal * 3))
	check "and not written again" cmp before <(stat -c '%i %s' long/journal.jsonl)
	rmdir long/results.csv
	"${long[@]}" -o long --resume 2>said
	check "it becomes results without a point computed" grep -qF ' 0 points (2000 more found)' said
	stat -c '%i %y %s' long/results.jsonl >before
	n_read=$(read_by "${long[@]}" -o long --resume)
	n_results=$(stat -c %s long/results.jsonl)
	check "results are read twice at most: $n_read bytes for their $n_results" test $((n_read * 2)) -lt $((n_results * 5))
	check "and not written, either" cmp before <(stat -c '%i %y %s' long/results.jsonl)
else
	skip "--resume reads a journal once" "no /proc/self/io here"
fi

# A torn end, as a power cut can leave it.
mkdir torn
cp reference/sweep.json torn/
head -n 50 noted/journal.jsonl >torn/journal.jsonl
sed -n 51p noted/journal.jsonl | head -c 200 >>torn/journal.jsonl
"${sweep[@]}" -o torn --resume 2>said
check "of a line torn off, its point alone is computed again" grep -q '70 points (50 more found)' said
check "and the sweep ends with the same bytes" diff -r reference torn

# A point that is there twice: nobody knows how, so what follows is not trusted.
mkdir twice
cp reference/sweep.json twice/
sed -n '1,20p;10p' noted/journal.jsonl >twice/journal.jsonl
"${sweep[@]}" -o twice --resume 2>said
check "of a journal with a point twice, what stands before is kept" grep -q '110 points (10 more found)' said
check "and the sweep ends with the same bytes again" diff -r reference twice

# Killed after the results were written and before the journal went.
cp -R reference late
head -n 50 noted/journal.jsonl >late/journal.jsonl
"${sweep[@]}" -o late --resume 2>said
check "a sweep killed while it tidied up is tidied up" diff -r reference late

# No file may grow beyond 16 KiB: a full disk, as the program sees it.
status=0
(
	trap '' XFSZ
	ulimit -f 16
	exec "${sweep[@]}" -o full 2>said
) || status=$?
check "a full disk is an error" test $status -eq 1
check "it is reported with the file's name" grep -q 'full/journal.jsonl: cannot write: ' said
n_found=$(lines full)
check "what was written before is kept" test "$n_found" -gt 0
"${sweep[@]}" -o full --resume 2>said
check "nothing of it is lost" grep -q "($n_found more found)" said
check "with room again the sweep ends with the same bytes" diff -r reference full

mkdir busy
# A shared lock is the weakest that must keep it out.
if flock -n -s busy/.lock "${sweep[@]}" -o busy 2>said; then status=0; else status=$?; fi
check "a second writer is refused" test $status -eq 1
check "and the reason reported" grep -q 'busy: another sweep is writing there' said

# A bit that flipped in the middle of the trace.
cp trace.bin broken.bin
printf '\x55' | dd of=broken.bin bs=1 seek=3000 conv=notrunc status=none
sweep=("${sweep[@]/trace.bin/broken.bin}")
status=0
"${sweep[@]}" -o broken 2>said || status=$?
check "a broken trace ends the sweep" test $status -eq 1
check "with the place in the trace" grep -q 'broken.bin: ' said
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes every allocation, write, fsync, rename, open and start of a thread fail in turn (n = 1, 2, ...
# until none fails) under commands that read and write, and all allocations from each on. Each time: a
# clean error or the right result, what has its final name is whole, nothing temporary is left, and no
# message but ours.
#
# The program ends when memory runs out (SIGTRAP or SIGABRT, "failed to allocate", "out of memory"): that is
# the one way to die that is allowed, with a word, and then, too, nothing half done is left.
#
# usage: torture.sh [--all]: without, a share of the failures, for `make check-all`, and a smaller one for `make check`
# Where a disk would be waited for at each fsync.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
cd "$work" || exit 99
unset MALLOC_PERTURB_ G_DEBUG
all=no factor=2
[ "${1:-}" != --all ] || all=yes
! a_share || factor=32
ulimit -c 0
library=${TORTURE_LIBRARY:-$BUILD/tests/torture/.libs/fail.so}
export LC_ALL=C TMPDIR=$work/tmp
mkdir tmp inputs
if grep -q __asan_init "$ATOMSIM" || [ ! -e "$library" ]; then
	skip "each call may fail" "a build with sanitizers, or without preloading"
	done_testing
	exit
fi

# What is preloaded is a list that spaces part.
cp "$library" fail.so

(
	cd inputs || exit 99
	"$ATOMSIM" gen voting --words 16 --steps 2 --blocks 2 --warps 2 -o v.bin
	sweep=("$ATOMSIM" sweep --config fermi.json --vary "atomic.locks=64,128,256" --jobs 2 v.bin)
	for i in 1 2; do "${sweep[@]}" --shard $i/2 -o shard-$i; done
	"$ATOMSIM" gen voting --words 64 --replicas 2 --steps 2 --blocks 4 --warps 2 -o s.bin
	for m in sum max; do "$ATOMSIM" --config fermi.json --reproducible --format json v.bin -o $m.json; done
	printf 'cycles,addresses\n108,0 1\n230,5 5\n' >points.csv
	cp -R "$SOURCE/tests/import/folder" import
	cp -R "$SOURCE/tests/capture/locks" capture
) >said 2>&1 || {
	cat said
	exit 99
}

# gnuplot is another program: what stands in for it draws at once, and the same.
mkdir bin
printf '#!/bin/sh\nprintf "<svg>gnuplot</svg>" >plot.svg\n' >bin/gnuplot
chmod +x bin/gnuplot
export PATH=$work/bin:$PATH

# Every command writes into the folder out/ and nowhere else.
command_of() {
	case $1 in
	gen) echo gen voting --words 16 --steps 2 --blocks 2 --warps 2 -o out/t.bin ;;
	run) echo run --config fermi.json --reproducible --format json --jobs 2 inputs/v.bin -o out/report ;;
	sweep) echo sweep --config fermi.json --vary atomic.locks=64,128,256 --jobs 2 inputs/v.bin -o out/sweep ;;
	merge) echo sweep merge -o out/merged inputs/shard-1 inputs/shard-2 ;;
	import) echo trace import inputs/import -o out/imported/ ;;
	capture) echo capture --allow-gaps --from inputs/capture -o out/captured.bin ;;
	report) echo run --config fermi.json --reproducible inputs/v.bin --report out/page.html -o out/report ;;
	timeline) echo run --config fermi.json --reproducible inputs/v.bin --timeline out/t.json -o out/report ;;
	plot) echo run --config fermi.json --reproducible --no-baseline inputs/v.bin --plot out/p.svg -o out/report ;;
	advise) echo advise --config fermi.json --jobs 2 inputs/s.bin -o out/advice ;;
	diff) echo diff --format json inputs/sum.json inputs/max.json -o out/difference ;;
	validate) echo validate --config fermi.json --format csv inputs/points.csv -o out/validation ;;
	calibrate) echo calibrate --config fermi.json --fit shared.conflict_latency_cycles inputs/points.csv -o out/fitted.json ;;
	table) echo table --config fermi.json --config h200.json inputs/v.bin -o out/table ;;
	pack) echo trace pack --blocks 0 inputs/v.bin -o out/packed.bin ;;
	search) echo search --config fermi.json --target lock --restarts 1 --candidates 1 --jobs 2 inputs/s.bin -o out/found.json ;;
	esac
}

# same: out/ is as it was without failures
same() {
	diff -r "reference-$command" out >differs 2>&1
}

# whole: each file in out/ under a final name is whole; a sweep's journal holds whole lines
whole() {
	local file
	while IFS= read -r file; do
		case $file in
		*/.lock | */.atomsim-*) ;;
		*/journal.jsonl) [ ! -s "$file" ] || [ -z "$(tail -c 1 "$file" | tr -d '\n')" ] || return 1 ;;
		*) cmp -s "$file" "reference-$command${file#out}" || return 1 ;;
		esac
	done < <(find out -type f)
}

# judge STATUS: whether this failure was taken well; says why not
judge() {
	local file
	if [ "$1" -eq 0 ]; then
		same || { echo "succeeded with another result:" && cat differs; }
	elif [ "$1" -ge 128 ]; then
		{ [[ $kind = alloc || $kind = memory ]] && [ "$1" != 139 ]; } || echo "ended by signal $(($1 - 128))"
		[ -s said ] || echo "ended without a word"
	else
		# A disk without room for the message, or no memory for it, leaves the status.
		grep -q '^atomsim: ' said || [ -s out/report ] || [ "$kind" = write ] || echo "failed without a word"
	fi
	whole || echo "a partial file has its final name"
	file=$(find out tmp -name '.atomsim-*' -o -path 'tmp/*' | head -n 3)
	[ -z "$file" ] || echo "left behind: $file"
	# Without memory GLib cannot convert what it says of that, and says so.
	grep -E 'CRITICAL|WARNING|assert' said | grep -v recursed | head -n 2
}

# attempt N: runs with the Nth call failing; false when there was none
attempt() {
	local status
	rm -rf out hit status tmp/* tmp/.[!.]*
	mkdir out
	# A shell with no other child notes the status: of the many that this one starts, some have the process id of an
	# earlier one. What shells say of a process that died of a signal is left out.
	# shellcheck disable=SC2016,SC2046
	timeout 60 sh -c '"$@" >stdout 2>said; echo $? >status' sh \
		env LD_PRELOAD="$work/fail.so" TORTURE_KIND=$kind TORTURE_N="$1" TORTURE_HIT="$work/hit" \
		"$ATOMSIM" $(command_of "$command") 2>/dev/null
	status=$(cat status 2>/dev/null || echo 124)
	[ -e hit ] || return 1
	judge "$status" >why
	[ -s why ] || return 0
	{
		echo "the ${1}th $kind of: atomsim $(command_of "$command"): status $status"
		cat why said
	} >>problems
}

# next N: what is tried after N. Of allocations there are up to hundreds of thousands: each of the first
# thousand, then a sample; for the share fewer and fewer of all.
next() {
	if [ "$all" = no ] && [[ $kind = alloc || $kind = memory ]]; then
		echo $(($1 * 2 * factor + 1))
	elif [ "$all" = no ] && [ "$1" -ge 4 ]; then
		echo $(($1 * factor))
	elif [[ $kind = alloc || $kind = memory ]] && [ "$1" -ge 1000 ]; then
		echo $(($1 + $1 / 100))
	else
		echo $(($1 + 1))
	fi
}

n_failures=0
for command in gen run sweep merge import capture search report timeline plot advise diff validate calibrate \
	table pack; do
	rm -rf out && mkdir out
	# shellcheck disable=SC2046
	"$ATOMSIM" $(command_of $command) >stdout 2>said || {
		not_ok "$command" said
		continue
	}
	mv out reference-$command
	for kind in alloc memory write sync rename open thread; do
		: >problems
		n=1
		while attempt "$n"; do
			n_failures=$((n_failures + 1))
			# What a failure left of a sweep is good to go on with.
			if [ $command = sweep ] && ! same && [ -e out/sweep ]; then
				# shellcheck disable=SC2046
				"$ATOMSIM" $(command_of sweep) --resume >stdout 2>said
				same || { echo "the ${n}th $kind: --resume does not end with the same bytes" && cat said differs; } >>problems
			fi
			n=$(next "$n")
		done
		if [ -s problems ]; then
			head -n 60 problems >shown
			not_ok "$command: each $kind may fail" shown
		else
			ok "$command: each $kind may fail"
		fi
	done
done
echo "# $n_failures failures were made"
check "calls did fail" test $n_failures -gt $((400 / factor))
done_testing

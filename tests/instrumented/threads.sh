#!/bin/bash
# SPDX-License-Identifier: MIT
# Everything that uses threads, in a build with --enable-sanitizers=thread: no report, and the result of
# one thread. BUILD is that build; REFERENCE is a program that gives the result of one thread sooner (default: that build's).
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
cd "$work" || exit 99
export TSAN_OPTIONS="exitcode=66 suppressions=$SOURCE/tests/instrumented/tsan.supp"
# GLib 2.74's cache of small pieces of memory hands them from thread to thread unseen.
export G_SLICE=always-malloc
if ! grep -q __tsan_init "$ATOMSIM"; then
	skip "threads do not race" "not a build with --enable-sanitizers=thread"
	done_testing
	exit
fi

# A report within the program is one of the test as well: this must be seen.
"$ATOMSIM" gen voting --words 64 --steps 2 --blocks 20 --warps 4 -o v.bin
"$ATOMSIM" gen voting --words 64 --replicas 2 --steps 4 --blocks 8 --warps 4 -o s.bin

# same NAME ARGUMENT...: with four threads no report, and what one thread gives
same() {
	local name=$1 status=0
	shift
	"${REFERENCE:-$ATOMSIM}" "$@" --jobs 1 >one 2>said || status=$?
	"$ATOMSIM" "$@" --jobs 4 >four 2>>said || status=$?
	diff one four >>said 2>&1 || status=1
	if [ $status -eq 0 ]; then ok "$name"; else not_ok "$name" <(head -n 60 said); fi
}

# Each kind of memory and each mechanism of atomics once.
for config in "$SOURCE"/configs/{fermi,gtx1080,hd5870,h200/config}.json "$SOURCE"/configs/designs/*.json; do
	same "a run on $(basename "$config")" run --config "$config" --reproducible --format json v.bin
done
same "a sweep" sweep --config fermi.json --vary atomic.locks=64..512:*2 --vary sm.count=1..4 v.bin
same "a sweep that makes its traces" sweep --config fermi.json --gen voting --set words=16 \
	--set blocks=2 --vary steps=1..4 --vary atomic.locks=64,128
same "a search" search --config fermi.json --target both --restarts 4 s.bin
"$ATOMSIM" sweep --config fermi.json --vary sm.count=1..16 --jobs 4 -o stopped v.bin 2>said &
sleep 1
kill -INT $!
status=0
wait $! || status=$?
check "a sweep that is interrupted" test $status -eq 130 -o $status -eq 0
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# A share of what the program does under valgrind, which sees what the address sanitizer does not: values
# that were never set, in the libraries, too.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
cd "$work" || exit 99
unset MALLOC_PERTURB_
if ! command -v valgrind >/dev/null; then
	skip "memory is used as it should" "no valgrind"
	done_testing
	exit
fi

# clean STATUS NAME ARGUMENT...: atomsim exits so under valgrind, which has nothing to say
clean() {
	local wanted=$1 name=$2 status=0
	shift 2
	valgrind -q --error-exitcode=99 --child-silent-after-fork=yes "$ATOMSIM" "$@" >out 2>said || status=$?
	if [ $status -eq "$wanted" ] && ! grep -q '^==' said; then ok "$name"; else not_ok "$name" said; fi
}

clean 0 "gen" gen voting --words 16 --steps 2 --blocks 2 --warps 2 -o v.bin
clean 0 "gen of an image" gen histogram --image "$SOURCE/traces/images/camera-128.pgm" -o h.bin
for config in "$SOURCE"/configs/*.json "$SOURCE"/configs/*/config.json "$SOURCE"/configs/designs/*.json; do
	clean 0 "run on $(basename "$config")" run --config "$config" --format json --jobs 2 v.bin
done
clean 0 "run, as text" run --config fermi.json v.bin
clean 0 "sweep" sweep --config fermi.json --vary atomic.locks=64,128 --vary atomic.lock_hash=mod,xor --jobs 2 -o s v.bin
clean 0 "sweep --resume" sweep --config fermi.json --vary atomic.locks=64,128 --vary atomic.lock_hash=mod,xor --resume -o s v.bin
clean 0 "search" search --config fermi.json --target both --restarts 2 --candidates 1 v.bin
clean 0 "trace import" trace import "$SOURCE/tests/import/folder" -o imported/
clean 0 "trace info" trace info v.bin
clean 0 "capture --from" capture --allow-gaps --from "$SOURCE/tests/capture/locks" -o c.bin
clean 1 "trace check of good and bad traces" trace check "$SOURCE"/tests/fuzz/corpus-trace/*
clean 0 "config" config --config h200.json
clean 1 "a config that is none" run --config "$SOURCE/tests/fuzz/corpus-config/rules.json" v.bin
printf 'pattern,cycles,addresses\na,109,"0 1 2"\nb,218,0 0\n' >m.csv
clean 0 "validate" validate --config fermi.json m.csv
clean 0 "calibrate" calibrate --config fermi.json --fit atomic.lock_bits.t_base_cycles m.csv -o fitted.json
clean 1 "a table that is none" validate --config fermi.json "$SOURCE/tests/fuzz/corpus-csv/quotes.csv"
done_testing

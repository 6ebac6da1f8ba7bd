#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Records each line of a list (NAME BLOCKS PROGRAM ARGUMENTS) into the folder RAW/NAME, and what
# the program printed into RAW/NAME/output. Needs a GPU and the CUDA toolkit, nothing of atomsim.
#
#   record.sh LIST RAW
#
# Four programs at a time: what is recorded does not depend on the time that it takes.

set -eu
cd "$(dirname "$0")"

# record RAW NAME BLOCKS PROGRAM ARGUMENTS
if [ "$1" = --one ]; then
	raw=$2/$3 blocks=$4 program=./$5
	shift 5
	set -- -- "$program" "$@"
	[ "$blocks" = all ] || set -- --blocks "$blocks" "$@"
	mkdir -p "$(dirname "$raw")"
	${CAPTURE:-../../src/gpu/capture/capture.sh} --output "$raw" "$@" >"$raw.output"
	mv "$raw.output" "$raw/output"
	exit
fi

grep -v '^#' "$1" | xargs -P 4 -L 1 sh ./record.sh --one "$2"

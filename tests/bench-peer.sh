#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Another simulator beside this one: PEER is its command line, whole and quoted as for a shell; TRACE is a
# trace of the same work for atomsim. Both run in turn; processor seconds, medians of BENCH_PAIRS turns.
# Whether the two do the same work is for who calls it to say.
set -u
if [ -z "${PEER:-}" ] || [ -z "${TRACE:-}" ]; then
	echo 'usage: make bench-peer PEER="command with its arguments" TRACE=file.bin [BENCH_CONFIG=fermi.json]' >&2
	exit 2
fi
# shellcheck source=tests/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

own=("$ATOMSIM" --config "${BENCH_CONFIG:-fermi.json}" --jobs 1 --no-baseline "$TRACE")
figures=$(pairs "${BENCH_PAIRS:-5}" "$processor" 1 "$PEER" "${own[*]@Q}") || exit 1
awk '{ printf "peer %.3f s, atomsim %.3f s, peer / atomsim %.3f\n", $1, $2, $3 }' <<<"$figures"

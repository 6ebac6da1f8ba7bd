#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Another simulator beside this one: PEER is its command line, whole; TRACE is a trace of the same work
# for atomsim. Both run in turn; processor seconds, medians of BENCH_PAIRS turns. Whether the two do the
# same work is for who calls it to say.
set -u
# shellcheck source=tests/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

if [ -z "${PEER:-}" ] || [ -z "${TRACE:-}" ]; then
	echo 'usage: make bench-peer PEER="command with its arguments" TRACE=file.bin [CONFIG=fermi.json]' >&2
	exit 2
fi
read -r peer own ratio < <(pairs "${BENCH_PAIRS:-5}" "$PEER" \
	"$ATOMSIM --config ${CONFIG:-fermi.json} --jobs 1 --no-baseline $TRACE")
if [ "$ratio" = failed ]; then
	echo "bench-peer: one of the two commands does not end well by itself" >&2
	exit 1
fi
echo "peer $peer s, atomsim $own s, peer / atomsim $ratio"

#!/bin/bash
# SPDX-License-Identifier: MIT
# `make bench-peer`: what it is given reaches it whole, and a command that fails is named.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
trace=$SOURCE/traces/transpose.bin

peer() { # VARIABLE...: of make
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BUILD" bench-peer BENCH_PAIRS=1 "$@" >"$work/out" 2>"$work/err"
}

# says NAME FILE PATTERN
says() {
	if grep -Eq -- "$3" "$work/$2"; then ok "$1"; else not_ok "$1" "$work/$2"; fi
}

peer PEER="sh -c 'exit \"\$\$0\"' 0" TRACE="$trace"
says "quotes reach the other command" out '^peer [0-9.]+ s, atomsim [0-9.]+ s, peer / atomsim [0-9.]+$'
peer PEER=true TRACE="$trace" BENCH_CONFIG=h200
says "a config may be named" out '^peer '
peer PEER="sh -c 'echo no memory >&2; exit 3'" TRACE="$trace"
says "the command that failed is told, with its last words" err "failed: 'sh' .*: no memory"
peer PEER=true TRACE=none.bin
says "and so is atomsim" err "failed: .*none.bin: cannot open"
peer TRACE="$trace"
says "what is missing is told" err '^usage: make bench-peer PEER='
done_testing

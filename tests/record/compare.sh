#!/bin/bash
# SPDX-License-Identifier: MIT
# Converts what gpu.sh made, and prints a line for each kernel: its records when captured and when it recorded itself,
# how many are the same in the same order and in any, and the cycles of both.
# usage: compare.sh FOLDER CONFIG    ATOMSIM: the program
set -eu
[ $# -eq 2 ] || { sed -n '5p' "$0" >&2; exit 2; }
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
atomsim=${ATOMSIM:-atomsim}
echo "kernel,captured,recorded,same_in_order,same,captured_cycles,recorded_cycles"
for captured in "$1"/captured-*; do
	name=${captured##*/captured-}
	for kind in captured recorded; do
		"$atomsim" capture --allow-gaps --from "$1/$kind-$name" -o "$work/$kind.bin" 2>"$work/said" || {
			cat "$work/said" >&2
			exit 1
		}
		bash "$here/records.sh" "$work/$kind.bin" >"$work/$kind"
		sort "$work/$kind" >"$work/$kind.sorted"
		"$atomsim" --config "$2" --format csv --columns cycles "$work/$kind.bin" 2>/dev/null | tail -n 1 >"$work/$kind.cycles"
	done
	echo "$name,$(wc -l <"$work/captured"),$(wc -l <"$work/recorded"),$(diff --unchanged-line-format='%L' \
		--old-line-format= --new-line-format= "$work/captured" "$work/recorded" |
		wc -l),$(comm -12 "$work/captured.sorted" "$work/recorded.sorted" |
		wc -l),$(cat "$work/captured.cycles"),$(cat "$work/recorded.cycles")"
done

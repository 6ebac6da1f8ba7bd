#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs every experiment and leaves its CSV in a folder. `make figures` and `make fidelity` call it.
# usage: all.sh FOLDER      with ATOMSIM, PATTERNS and ENGINE (programs), SOURCE and ATOMSIM_CONFIG_PATH set
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$1
n_patterns=${N_PATTERNS:-1000000}

mkdir -p "$out"
for script in "$here"/*.sh; do
	name=$(basename "$script" .sh)
	# Two take longer than all others together: `make plane`, `make accuracy`.
	[[ $name != all && $name != lib && $name != plane && $name != accuracy ]] || continue
	start=$SECONDS
	bash "$script" >"$out/$name.csv.part"
	mv "$out/$name.csv.part" "$out/$name.csv"
	echo "$name: $(($(wc -l <"$out/$name.csv") - 1)) rows, $((SECONDS - start)) s" >&2
done
start=$SECONDS
"$PATTERNS" "$n_patterns" >"$out/patterns.csv"
echo "patterns: $n_patterns patterns, $((SECONDS - start)) s" >&2
start=$SECONDS
# A mismatch is a verdict of the table of claims.
"$ENGINE" "$n_patterns" >"$out/engine.csv" || true
echo "engine: $n_patterns patterns, $((SECONDS - start)) s" >&2
{
	echo error,value
	"$ATOMSIM" validate --config fermi.json --format json "$SOURCE/measurements/gtx580/published.csv" |
		sed -nE 's/^\t"(median|max)_relative_error":\t([0-9.e+-]+),?$/\1,\2/p' | sed 's/^max/worst/' | sort -r
} >"$out/laws.csv"

#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs every experiment and leaves its CSV in a folder. `make figures` and `make fidelity` call it.
# usage: all.sh FOLDER      with ATOMSIM, PATTERNS (the program) and ATOMSIM_CONFIG_PATH set
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$1
n_patterns=${N_PATTERNS:-1000000}

mkdir -p "$out"
for script in "$here"/*.sh; do
	name=$(basename "$script" .sh)
	# The plane takes longer than all others together: `make plane`.
	[[ $name != all && $name != lib && $name != plane ]] || continue
	start=$SECONDS
	bash "$script" >"$out/$name.csv.part"
	mv "$out/$name.csv.part" "$out/$name.csv"
	echo "$name: $(($(wc -l <"$out/$name.csv") - 1)) rows, $((SECONDS - start)) s" >&2
done
start=$SECONDS
"$PATTERNS" "$n_patterns" >"$out/patterns.csv"
echo "patterns: $n_patterns patterns, $((SECONDS - start)) s" >&2

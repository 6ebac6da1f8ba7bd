#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How fast the main job is, and how its memory grows: figures and ratios, no verdicts.
#
# Rates are whole runs on one core, decoding included, the best of three: warp instructions executed
# (an attempt counts its four: LK, operation, UL, branch) and warp atomics of the trace, a second.
set -u

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

generate() { # NAME STEPS OPTION...
	local name=$1 steps=$2
	shift 2
	"$ATOMSIM" gen voting --blocks 16 --warps 32 --steps "$steps" "$@" -o "$folder/$name.bin"
}

# What a run's closing line says: warp instructions and warp atomics in millions a second, KiB.
figures() { # NAME
	"$ATOMSIM" --config fermi.json --jobs 1 --no-baseline --output "$folder/report" \
		"$folder/$1.bin" 2>"$folder/talk" || cat "$folder/talk" >&2
	sed -n 's/.* \([0-9.]*\) million warp instructions a second, \([0-9.]*\) million warp atomics a second, peak memory \([0-9]*\) KiB/\1 \2 \3/p' \
		"$folder/talk"
}

best() { # NAME
	for _ in 1 2 3; do figures "$1"; done | sort -rn | head -n 1
}

generate uniform 1024 --words 256
generate one-word 64 --distribution hot
generate conflict-free 1024 --distribution lanes --words 1024
generate longer 10240 --distribution lanes --words 1024

echo "engine: 16 blocks of 32 warps on configs/fermi.json, one core, millions a second"
printf '%-44s %20s %14s\n' "trace" "warp instructions" "warp atomics"
while read -r name text; do
	read -r instructions atomics _ <<<"$(best "$name")"
	printf '%-44s %20s %14s\n' "$text" "$instructions" "$atomics"
done <<-EOF
	uniform uniform over 256 words, 1,024 steps
	one-word all lanes on one word, 64 steps
	conflict-free conflict-free, 1,024 steps
EOF
read -r _ _ short <<<"$(figures conflict-free)"
read -r _ _ long <<<"$(figures longer)"
echo "memory: peak $short KiB at 1,024 steps, $long KiB at 10,240: ratio $(
	awk -v a="$long" -v b="$short" 'BEGIN { printf "%.3f", a / b }')"

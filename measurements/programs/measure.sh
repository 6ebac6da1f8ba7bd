#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs all measuring programs on this machine's GPU; README.md tells what each measures.
#
#   measure.sh FOLDER
#
# FOLDER gets the CSV files and gpu.txt. It takes half a minute and the CUDA toolkit alone; leave the
# GPU to it meanwhile. ARCH (native) and NVCC (nvcc) can be set; POINTS names the file of global
# atomics to measure, CASES that of patterns at the L2, PATTERNS that of words in shared memory (a measured warp-latency.csv serves).

set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
patterns=${PATTERNS:-patterns.csv}
points=${POINTS:-../h200/global-atomics-held.csv}
cases=${CASES:-../h200/l2/l2-patterns.csv}
programs="latency throughput match warp-sync barrier fence fence-block scheduler branch dispatch queue locks tries lock-grid fence-others fence-waves shares lock-steps lock-groups spins order guarded behind system burst together loads cold cold-lines cold-start
	shared-atomics swap-steps l2-map l2-slices l2-rules l2-steps l2-patterns placement touch streams global-atomics"

for program in $programs; do
	"${NVCC:-nvcc}" -std=c++17 -O2 -arch="${ARCH:-native}" -o "$folder/$program" "$program.cu" &
done
wait
for program in $programs; do
	[ -x "$folder/$program" ] || exit 1
done
if command -v cuobjdump >/dev/null 2>&1; then
	./sass.sh "$folder/latency"
fi
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv >"$folder/gpu.txt"

for name in latency throughput warp-sync barrier fence fence-block scheduler branch dispatch queue locks spins order guarded behind system burst fence-others fence-waves shares; do
	"$folder/$name" >"$folder/issue-$name.csv"
done
"$folder/tries" >"$folder/tries.csv"
"$folder/tries" fences >"$folder/issue-fences.csv"
"$folder/tries" shapes >"$folder/issue-tries.csv"
"$folder/lock-grid" grid >"$folder/issue-lock-grid.csv"
"$folder/lock-grid" fences >"$folder/issue-fence-turns.csv"
"$folder/lock-grid" lines >"$folder/issue-lines.csv"
"$folder/lock-grid" cache >"$folder/issue-fence-cache.csv"
"$folder/lock-steps" >"$folder/issue-lock-steps.csv" 2>"$folder/issue-lock-stamps.csv"
"$folder/lock-groups" >"$folder/issue-lock-groups.csv" 2>"$folder/turns.csv"
awk -F, 'NR == 1 || $2 == 1' "$folder/turns.csv" >"$folder/issue-lock-turns.csv"
"$folder/together" "$folder"
"$folder/throughput" conflicts >"$folder/issue-conflicts.csv"
"$folder/match" >"$folder/match-any.csv"
"$folder/swap-steps" >"$folder/swap-steps.csv"
"$folder/swap-steps" wide >"$folder/swap-wide.csv"
"$folder/loads" "$folder"
"$folder/cold" >"$folder/issue-cold-constants.csv"
"$folder/cold-lines" >"$folder/issue-cold-lines.csv"
"$folder/cold-lines" all >"$folder/issue-cold-lines-sms.csv"
"$folder/cold-start" >"$folder/issue-cold-start.csv"
for part in latency throughput; do
	"$folder/shared-atomics" $part "$patterns" >"$folder/warp-$part.csv"
done
"$folder/l2-map" "$folder"
mkdir -p "$folder/by-contention"
"$folder/l2-slices" "$folder/by-contention"
"$folder/l2-rules" >"$folder/l2-rules.csv"
"$folder/l2-steps" >"$folder/l2-steps.csv"
"$folder/l2-patterns" "$cases" >"$folder/l2-patterns.csv"
"$folder/placement" >"$folder/placement.csv"
for name in touch streams; do
	"$folder/$name" >"$folder/$name.csv"
done
"$folder/global-atomics" "$points" >"$folder/global-atomics.csv"
# The form of each file (../forms): what its rows are compared with.
while read -r file form; do
	[ ! -f "$folder/$file.csv" ] || sed -i "1s/\$/,form/; 2,\$s/\$/,$form/" "$folder/$file.csv"
done <<'FORMS'
issue-latency latency
issue-throughput straight
issue-conflicts conflicts
issue-guarded guarded
issue-branch branch
issue-barrier barrier
issue-blocks-barrier blocks-barrier
issue-fence fence
issue-fence-block block-fence
issue-fences fences
issue-fence-turns device-fence
issue-stores stores
issue-in-flight flight
issue-burst flight
issue-queue queue
issue-order order
issue-l1 single-load
issue-dram chase
issue-tile tile
issue-warp-sync warp-sync
issue-lines lines
issue-locks spin-lock
issue-lock-groups lock-chain
issue-lock-grid lock-grid
issue-shares sm-shares
global-atomics global-words
l2-patterns sm-patterns
warp-latency chains
match-any match
warp-throughput repeats
block-cycles block-steps
FORMS
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv,noheader \
	>>"$folder/gpu.txt"

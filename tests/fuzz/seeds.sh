#!/bin/bash
# SPDX-License-Identifier: MIT
# Renews the seeds of fuzz-runs: writes FOLDER/cut-*, of shipped and generated traces. `make fuzz-seeds` runs it, and sets its
# environment.
#
#   tests/fuzz/seeds.sh FOLDER
set -eu
out=$1
temp=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-seeds.XXXXXX")
trap 'rm -rf "$temp"' EXIT

# cut NAME TRACE MACHINE,VARIANT,WHATIF,SEED BLOCKS WARPS FROM RECORDS
cut_seed() {
	"$TRACE_SEED" "$2" "$3" "$4" "$5" "$6" "$7" >"$out/cut-$1"
}

# made NAME HEAD BLOCKS WARPS FROM RECORDS WORKLOAD...: of a generated trace.
made() {
	local name=$1 cut=("${@:2:5}")
	shift 6
	"$ATOMSIM" gen "$@" --force -o "$temp/made.bin" 2>/dev/null
	cut_seed "$name" "$temp/made.bin" "${cut[@]}"
}

# Machines: 0 h200, 1 fermi, 2 a100, 3 gtx1080, 4 hd5870. Variants and what-ifs: fuzz-runs.c.
machine=0
for trace in "$SOURCE"/traces/*.bin; do
	name=$(basename "$trace" .bin)
	cut_seed "$name" "$trace" $machine,0,0,1 2 3 0 40
	machine=$(((machine + 1) % 5))
	cut_seed "$name-later" "$trace" $machine,$((machine * 2)),$((machine * 3)),2 4 1 25 60
	[ "$(wc -c <"$out/cut-$name-later")" -gt 50 ] || rm "$out/cut-$name-later" # all are shorter
done
made locks-shared 0,1,0,0 2 3 0 50 spin-locks --section three --entries 2 --blocks 2
made locks-global 0,0,0,0 3 2 0 50 spin-locks --space global --words 4 --blocks 3 --section update
made locks-bare 1,2,0,0 1 4 0 30 spin-locks --section bare --lanes 7 --words 3
made lock-chain 0,0,0,0 1 4 0 60 lock-chain --locks 4 --entries 3
made wavefronts-kmeans 4,0,0,0 4 2 0 40 apps --application kmeans --groups 8 --dimensions 2
made wavefronts-match 4,3,0,0 3 2 0 40 apps --application match --text 65536 --matches 700 --groups 8
made wavefronts-copy 4,0,0,0 3 1 0 40 apps --application copy --groups 8
made scan-flow 0,7,0,0 2 3 0 60 scan --dataflow yes --elements 4096 --method blelloch --threads 256 --end fence
made reduction-grid 0,0,0,0 5 2 0 40 shuffle-reduction --level grid --dataflow yes --elements 2048 --end fence
made histogram-flow 2,4,0,0 3 2 0 60 private-histogram --dataflow yes --elements 8192 --bins 64
made update-gm 3,1,0,0 2 3 0 60 kmeans-update --algorithm gm-dl --points 200
made update-sm 0,0,0,0 2 3 0 60 kmeans-update --algorithm sm-cl --points 200
for type in u32 f32 u64 f64; do
	made "global-$type" $machine,4,0,0 3 2 0 20 global-atomics --threads 1024 --type $type --words 40 \
		--steps 4 --result yes
	machine=$(((machine + 1) % 5))
done
made merge-shared 0,13,0,0 2 3 0 40 voting --words 4 --steps 8 --blocks 2 --warps 3
made merge-serial 1,14,0,0 3 2 0 20 global-atomics --threads 1024 --type u32 --words 3 --steps 4
made buffer-scheduler 0,15,0,0 3 2 0 20 global-atomics --threads 1024 --type u32 --words 40 --steps 4
made buffer-line 2,16,0,0 3 2 0 20 global-atomics --threads 1024 --type f32 --words 40 --steps 4
made back-off 1,17,0,0 2 3 0 40 voting --words 4 --steps 8 --blocks 2 --warps 3
made retry-fifo 4,18,0,0 2 3 0 40 voting --words 4 --steps 8 --blocks 2 --warps 3
made retry-one-winner 3,19,0,0 2 3 0 40 voting --words 4 --steps 8 --blocks 2 --warps 3
made what-if-none 1,0,18,0 2 3 0 40 voting --words 4 --steps 8 --blocks 2 --warps 3
made what-if-cas-loop 2,0,19,0 2 3 0 40 voting --words 4 --steps 8 --blocks 2 --warps 3
made private-thread 0,0,20,0 2 3 0 40 voting --words 4 --steps 8 --blocks 2 --warps 3
made private-global 3,0,21,0 3 2 0 20 global-atomics --threads 1024 --type u32 --words 3 --steps 4
made private-block 0,0,22,0 3 2 0 20 global-atomics --threads 1024 --type u32 --words 40 --steps 4

#!/bin/bash
# SPDX-License-Identifier: MIT
# Compiles the programs of `atomsim measure` for every GPU that they are meant for; needs nvcc, and no GPU.
#
# usage: compile.sh [PROGRAM]...
# ARCHITECTURES: their numbers; NVCC: the compiler.
cd "$(dirname "$0")/../../measurements/programs" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
gencode=()
for number in ${ARCHITECTURES:-75 80 86 89 90 100 120}; do
	gencode+=(-gencode "arch=compute_$number,code=sm_$number")
done

# compile PROGRAM: without .cu, as steps.csv names it.
compile() {
	local flags=()
	[[ $1 != */* ]] || flags=(-DMEASURE)
	"${NVCC:-nvcc}" -std=c++17 -O2 "${flags[@]}" "${gencode[@]}" -c -o "$work/object" "$1.cu" >"$work/said" 2>&1 &&
		echo "ok     $1" && return
	echo "FAILED $1"
	grep -m 3 error "$work/said"
	return 1
}

if [ $# -eq 0 ]; then
	mapfile -t programs < <(echo gpu && tail -n +2 steps.csv | cut -d, -f2 | sort -u)
	set -- "${programs[@]}"
fi
failed=0
for program; do
	compile "$program" || failed=1
done
exit $failed

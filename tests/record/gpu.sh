#!/bin/bash
# SPDX-License-Identifier: MIT
# Where there is a GPU and the Compute Sanitizer: compiles program.cu with CUDA alone and with the marks of
# atomsim_record.cuh, checks that marks compile away, captures the first and has the second record itself, into
# FOLDER/captured-KERNEL-SIZE and FOLDER/recorded-KERNEL-SIZE. Needs nothing of atomsim that is built.
# usage: gpu.sh FOLDER [FLAG OF NVCC]...    for example -DWORK_HISTOGRAM=11
set -eu
[ $# -ge 1 ] || { sed -n '6p' "$0" >&2; exit 2; }
mkdir "$1"
folder=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
gpu=$here/../../src/gpu
cd "$folder"
nvcc -std=c++11 -lineinfo -arch=native -DPLAIN -o plain "$here/program.cu" &
nvcc -std=c++11 -lineinfo -arch=native -I"$gpu/record" -o unmarked "$here/program.cu" &
nvcc -std=c++11 -lineinfo -arch=native -I"$gpu/record" -DATOMSIM_RECORD "$@" -o marked "$here/program.cu" &
wait
for program in plain unmarked; do
	cuobjdump -sass $program | grep '/\*[0-9a-f]*\*/' >$program.sass
done
cmp plain.sass unmarked.sass
for kernel in histogram transpose sums keep; do
	for size in small large; do
		./marked $kernel $size recorded-$kernel-$size
		sh "$gpu/capture/capture.sh" --output captured-$kernel-$size -- ./plain $kernel $size
	done
done

#!/bin/bash
# SPDX-License-Identifier: MIT
# Stands in for Nsight Systems: notes its options in ./asked-nsys, runs the program, and prints a table of launches.
if [ "$1" = profile ]; then
	: >asked-nsys
	while [[ $1 != ./* ]]; do
		[ "$1" != --output ] || file=$2
		[[ $1 = /* ]] || echo "$1" >>asked-nsys
		shift
	done
	touch "$file.nsys-rep"
	exec "$@"
fi
printf '%s\n' "${@%%/*}" >>asked-nsys
for last; do :; done
[ -e "$last" ] || exit 1
cat <<'END'
Generating SQLite file launches.sqlite from launches.nsys-rep
Processing [launches.sqlite] with [cuda_gpu_trace.py]...

Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name
100,700,1,,,,,,,,,,0.016,10.5,Pageable,Device,NVIDIA H200 (0),1,,7,[CUDA memcpy Host-to-Device]
900,5000,2,1,1,1,32,1,1,16,0.000,0.000,,,,,NVIDIA H200 (0),1,,7,"fill(float *, int)"
6000,2900,3,2,2,1,32,8,1,16,0.000,0.004,,,,,NVIDIA H200 (0),1,,7,"transpose(float *, float *, int, int)"
9000,2400,4,2,2,1,32,8,1,16,0.000,0.004,,,,,NVIDIA H200 (0),1,,7,"transpose(float *, float *, int, int)"
12000,2500,5,2,2,1,32,8,1,16,0.000,0.004,,,,,NVIDIA H200 (0),1,,7,"transpose(float *, float *, int, int)"
END

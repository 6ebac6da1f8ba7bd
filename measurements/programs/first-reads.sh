#!/bin/bash
# SPDX-License-Identifier: MIT
# What first-reads does, counted by Nsight Compute (ncu): a row a launch, on stdout. Launch 0 reads one element, so that code is there;
# of `reused` launch 1 reads the memory that is freed then.
# usage: first-reads.sh FIRST-READS >> first-reads-counted.csv    that program, built
set -e -o pipefail
[ $# -eq 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
metrics=dram__bytes_read.sum,sm__cycles_active.max,sm__cycles_active.avg,lts__t_sectors_op_read_lookup_miss.sum

# count PROGRAM HISTORY BYTES KERNEL REPEAT
count() {
	ncu --clock-control none --cache-control none --csv --page raw --metrics $metrics -k "regex:read_$4" "$1" "$2" "$3" "$4" |
		sed '/^==/d' | python3 -c '
import csv, sys
rows = [row for row in csv.reader(sys.stdin) if len(row) > 20]
columns = [rows[0].index(name) for name in sys.argv[5].split(",")]
for launch, row in enumerate(rows[2:]):
    print(*sys.argv[1:5], launch, *(row[i].replace(",", "") for i in columns), sep=",")
' "$2" "$3" "$4" "$5" "$metrics"
}

echo history,bytes,kernel,repeat,launch,dram_read_bytes,cycles_active.max,cycles_active.avg,l2_read_miss_sectors
for history in copied reused set fresh; do
	for kib in 32 128 512 1024 2048 4096 8192 16384 32768; do
		for kernel in bulk rows; do
			for repeat in 1 2; do
				# The large ones once.
				[ "$repeat" = 1 ] || [ $kib -le 2048 ] || continue
				count "$1" "$history" $((kib * 1024)) "$kernel" "$repeat"
			done
		done
	done
done

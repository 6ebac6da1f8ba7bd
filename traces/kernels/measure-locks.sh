#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures the update step of k-means under locks (update.cu) on this machine's GPU, with fences as compiled there.
#
#   measure-locks.sh LOCKS.csv [APART...] > locks-again.csv
#
# The shapes are LOCKS.csv's, its columns kernel, n, d and k, and those of locks.list, which are held back. Forms in global
# memory are measured once more with APART bytes between sums and locks, for each APART. Columns: kernel, points,
# dimensions, clusters; cycles of the slowest SM from its first warp's begin to its last one's end (median, least, most of ten
# launches); microseconds between events around the launch; APART; whether the shape is held back; where the clusters of points,
# the points, the sums, which the counts follow, and the locks begin (pages of memory have 2 MiB).

set -eu
shapes=$1
shift
cd "$(dirname "$0")"

[ -x ./update.measured ] ||
	"${NVCC:-nvcc}" -std=c++17 -O2 -arch="${ARCH:-native}" -DMEASURE -o ./update.measured update.cu

measure() { # APART HELD KERNEL POINTS DIMENSIONS CLUSTERS
	apart=$1 held=$2
	shift 2
	output=$(./update.measured "$1" "$2" "$3" "$4" all 0 "$apart") || {
		echo "measure-locks.sh: update $* failed" >&2
		exit 1
	}
	at=$(echo "$output" | sed -n 's/^at //p')
	echo "$output" | sed -n "s/^measured [^,]*,\([^,]*,[^,]*,[^,]*\),[^,]*\(,.*\)/$1,$2,$3,$4,\1\2,$apart,$held,$at/p"
}

measure_all() { # HELD, shapes on stdin
	while read -r kernel n d k; do
		measure 0 "$1" "$kernel" "$n" "$d" "$k"
		case $kernel in gm-*)
			for apart in $aparts; do
				measure "$apart" "$1" "$kernel" "$n" "$d" "$k"
			done
			;;
		esac
	done
}

aparts="$*"
echo "kernel,n,d,k,cycles,cycles_min,cycles_max,microseconds,apart,held_back,clusters_at,points_at,sums_at,locks_at"
sed 1d "$shapes" | cut -d, -f1-4 | tr ',' ' ' | measure_all 0
grep -v '^#' locks.list | measure_all 1

#!/bin/bash
# SPDX-License-Identifier: MIT
# The update step of k-means on the simulated GTX 1080: by locks in global and in shared memory, by clusters, and by the
# rival; time of the update and of the normalization after it, which the rival does itself. passes: over the clusters,
# as many as shared memory makes necessary. What the paper leaves open: which share of the points changed its
# cluster (`changed`, only the rival's work depends on it). sm-cl-all: all threads of a block write its sums back, not one.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"
CONFIG=gtx1080.json
export CONFIG traces

# cases POINTS DIMENSIONS CHANGED ALGORITHM CLUSTERS...
cases() {
	local points=$1 dimensions=$2 changed=$3 algorithm=$4 k
	shift 4
	for k; do echo "$algorithm $points $k $dimensions $changed"; done
}

# The paper's numbers of clusters for 5,000 points.
clusters=(2 4 8 16 32 64 128 256 512 1024 2048 4096)

all() {
	# The long ones first, so that they run beside each other.
	cases 50000 32 0 kmcuda 32768
	cases 50000 32 0 gm-dl 32768
	cases 50000 32 0 gm-cl 512
	cases 50000 32 0 sm-cl 32
	cases 5000 32 0 sm-dt 32 512 2048 4096
	cases 5000 32 0 gm-dt 4096
	cases 5000 32 0 gm-cl "${clusters[@]}"
	cases 5000 32 0 sm-cl "${clusters[@]}"
	cases 5000 32 0 sm-cl-all 16 32 64 128 256
	cases 50000 32 0 sm-cl-all 32
	cases 5000 32 0 gm-dl "${clusters[@]}"
	cases 5000 32 0 sm-dl 2 4 8 16 32 64 128
	cases 5000 32 0 gm-ct 32 512
	cases 5000 32 0 sm-ct 32 512
	cases 5000 32 0 gm-dt 32 512
	for changed in 0 10; do
		cases 5000 32 $changed kmcuda "${clusters[@]}"
		cases 50000 32 $changed kmcuda 32
	done
	cases 5000 32 0 kmcuda 8192 10240 16384 32768
	# Crossing in the number of coordinates.
	cases 5000 16 0 sm-cl 32 2048
	cases 5000 16 0 gm-cl 2048
	cases 5000 16 0 gm-dl 32 2048
	cases 5000 128 0 sm-cl 32
	cases 5000 128 0 gm-dl 32
	cases 5000 1024 0 sm-cl 32
	cases 5000 1024 0 gm-dl 32
	# Waves of blocks, with few points: a thread of any block looks at all of them.
	cases 500 32 0 gm-dt 640 1280 1312 2560 2624
	# More blocks than are resident; clusters of many coordinates, few of which shared memory holds at a time.
	cases 5000 32 0 gm-dt 2048
	cases 5000 2048 0 sm-cl 256
	cases 5000 2048 0 gm-cl 256
}

# one NUMBER ALGORITHM POINTS CLUSTERS DIMENSIONS CHANGED
one() {
	local file=$traces/$1 algorithm=${2%-all} who=one launches sum passes
	[ "$2" = "$algorithm" ] || who=all
	"$ATOMSIM" gen kmeans-update --algorithm "$algorithm" --write-back $who --points "$3" --clusters "$4" --dimensions "$5" \
		--changed "$6" -o "$file.bin"
	launches=("$file.bin")
	if [ "$2" != kmcuda ]; then
		"$ATOMSIM" gen kmeans-update --kernel normalize --points "$3" --clusters "$4" --dimensions "$5" -o "$file.n.bin"
		launches+=("$file.n.bin")
	fi
	sum=$("$ATOMSIM" run --config $CONFIG --no-baseline --reproducible --jobs 1 --sequence --format csv "${launches[@]}" |
		tail -n 1)
	# Each pass over the clusters has three barriers.
	passes=$("$ATOMSIM" trace info "$file.bin" |
		awk '$1 == "warps" { warps = $2 } $1 == "bar" { bars = $2 } END { printf "%d", bars / 3 / warps }')
	echo "$2,$3,$4,$5,$6,$(cut -d, -f2,4 <<<"$sum"),$passes" >"$file.csv"
	rm "${launches[@]}"
}
export -f one

echo algorithm,points,clusters,dimensions,changed,cycles,time_us,passes
all | awk '{ printf "%03d %s\n", NR, $0 }' | xargs -P "$JOBS" -L 1 bash -c 'one "$@"' one
cat "$traces"/*.csv

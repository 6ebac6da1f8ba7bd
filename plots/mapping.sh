#!/bin/bash
# SPDX-License-Identifier: MIT
# Two things of the reference paper's histogram that the model does not give, and what was tried of them. Block mapping of 32
# bins gains little up to R = 32 (Fig 9): cycles with one copy and with a copy for each of 32 warps, as shipped and with one
# thing changed at a time. And 16 to 128 blocks of 128 to 1,024 threads take similar times (4.2.1): 256 bins, one copy.
# IMAGE=FILE takes another image.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

folder=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-plots.XXXXXX")
trap 'rm -rf "$traces" "$folder"' EXIT
image=${IMAGE:-}
if [ -z "$image" ]; then
	image=$folder/camera12.pgm
	deepen "$SOURCE/traces/images/camera.pgm" >"$image"
fi
# As many pixels of no order at all: neighbours are not alike.
awk 'BEGIN { srand(1); print "P2 509 509 4095"; for (i = 0; i < 509 * 509; i++) print int(rand() * 4096) }' >"$folder/noise.pgm"

# copies IMAGE COPIES [OPTION...]: a case with one copy, and one with so many
copies() {
	local from=$1 most=$2 r
	shift 2
	for r in 1 "$most"; do
		echo "$r: histogram --image $from --bins 32 --mapping block --replicas $r $*"
	done
}

# tried NAME [OPTION...]: of the replay; the cases are on stdin
tried() {
	local name=$1
	shift
	measure cycles "$@" | awk -F, -v name="$name" '{ cycles[NR] = $2 } END { printf "%s,%d,%d\n", name, cycles[1], cycles[2] }'
}

echo tried,cycles,cycles_other
copies "$image" 32 | tried "as shipped"
copies "$image" 32 | tried "locks held for 12 + 4 cycles" --set atomic.lock_bits.lk_cycles=12 --set atomic.lock_bits.operation_cycles=4
copies "$image" 32 | tried "locks held for 52 + 22 cycles" --set atomic.lock_bits.lk_cycles=52 --set atomic.lock_bits.operation_cycles=22
copies "$image" 32 | tried "the lock goes to a random lane" --set atomic.lock_bits.winner=random
copies "$image" 32 | tried "an instruction takes 1 cycle of a scheduler" --set sm.issue_cycles=1
copies "$image" 32 | tried "locks held for 12 + 4 cycles and an instruction in 1" --set atomic.lock_bits.lk_cycles=12 \
	--set atomic.lock_bits.operation_cycles=4 --set sm.issue_cycles=1
copies "$image" 32 | tried "a pass takes 1 cycle of the banks" --set shared.pass_cycles=1
copies "$image" 32 | tried "an eighth of the bandwidth" --set global.bandwidth_mb_per_s=24050
copies "$folder/noise.pgm" 32 | tried "pixels of no order"
copies "$image" 4 --blocks 128 --threads 128 | tried "128 blocks of 128 threads and 4 copies"
copies "$image" 32 --padding 1 | tried "copies padded"
for shape in "16 1024" "32 512" "64 256" "128 128" "128 1024"; do
	echo "$shape: histogram --image $image --bins 256 --blocks ${shape% *} --threads ${shape#* }"
done | measure cycles | awk -F, '{ sub(/ /, " x ", $1); printf "256 bins by %s threads,%d,\n", $1, $2 }'

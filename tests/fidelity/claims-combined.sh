# SPDX-License-Identifier: MIT
# Designs that merge or buffer atomics on global memory, on the naive backward pass of Gaussian splatting: ARC (arXiv 2401.05345) and DAB
# (MICRO 2020). claims.sh reads this. Both papers name averages of their own kernels on their own baselines, of which none is at hand: what
# can be tested is the order of designs.
# The awk programs stand in single quotes.
# shellcheck shell=bash disable=SC2016

gpu "Merging and buffering, on an H200 that has neither"

gain='
	FILENAME ~ /measured/ { if (FNR > 1) busy[$1, $2] = $3; next }
	FNR > 1 { cycles[$1] = $2; packets[$1] = $3 }
	function gain(variant) { return cycles["none"] / cycles[variant] }
'

claim tests "ARC: to reduce gradients in the sub-core pays, by 2.6 times on average" "more than 2.6 times" "" "$gain"'
	END { printf "%.1f times\n", gain("arc"); verdict(gain("arc") > 2.6) }' combined.csv

# shellcheck disable=SC2154 # here: of claims.sh
claim tests "ARC: the hardware gains more than the same reduction in software" \
	"more than the butterfly as measured on an H200, also with 8 times the time of a level" "" "$gain"'
	END {
		for (launch = 1; launch <= 4; launch++) { naive += busy["naive", launch]; butterfly += busy["butterfly", launch] }
		software = naive / butterfly
		printf "%.1f and %.1f times; measured %.1f\n", gain("arc"), gain("arc slow"), software
		verdict(gain("arc") > software && gain("arc slow") > software)
	}' "$here/../../measurements/h200/splat/measured.csv" combined.csv

shown "ARC: speed-up of whole training kernels" "2.6 times on average, up to 5.7" \
	"another scene, whose warps access one Gaussian nearly always, on a GPU whose L2 takes lanes of a word one by one; the naive kernel alone, of which atomics are 97 %" "$gain"'
	END { printf "%.1f; one lane after the other %.1f; from 16 lanes on %.1f\n", gain("arc"), gain("arc serial"), gain("arc 16") }' combined.csv

claim follows "DAB: fusion takes most of the atomics off the network" "fewer than a tenth of the packets" "" "$gain"'
	END {
		printf "%.1f %%; without fusion %.0f %%\n", 100 * packets["dab"] / packets["none"], 100 * packets["dab without fusion"] / packets["none"]
		verdict(packets["dab"] < packets["none"] / 10)
	}' combined.csv

shown "DAB: slower than without determinism" "23 % on average" \
	"not comparable: it flushes all SMs at one point in one order and schedules warps for that, which is not modelled; here buffers that leave by address against those that leave as they came" "$gain"'
	END { printf "%.2f %%\n", 100 * (cycles["dab"] / cycles["dab arrival"] - 1) }' combined.csv

shown "DAB: faster than GPUDet" "4 times" "not comparable: there is no model of GPUDet; here against the GPU without buffers" "$gain"'
	END { printf "%.1f times; buffers of warps %.1f, lines of a first cache %.1f\n", gain("dab"), gain("dab warp"), gain("l1") }' combined.csv

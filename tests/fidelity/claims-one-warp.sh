# SPDX-License-Identifier: MIT
# One warp: the closed form, the engine, throughput; and conflicts between warps. claims.sh reads this.
# The awk programs stand in single quotes.
# shellcheck shell=bash disable=SC2016

# --- The closed form and the engine ---

claim follows "The engine gives Algorithm 1's latency for every pattern of one warp alone" \
	"no mismatch" "" '
	NR == 2 { printf "%d mismatches in %d patterns, %d machines\n", $3, $1, $2; verdict($3 == 0) }
	' engine.csv

claim follows "One warp without a conflict: t_base" "108 cycles" "" '
	$1 == "atomic" && $2 == 1 { if ($4 != 108) bad = 1; last = $4 }
	END { print last " cycles"; verdict(!bad) }' one-warp.csv

claim follows "n lanes on one word: position conflicts" "108 + (n - 1) * 120, n = 1 to 32" "" '
	$1 == "atomic" && $2 == 0 { if ($4 != 108 + ($3 - 1) * 120) bad++; n++; last = $4 }
	END { printf "%d of %d so; 32 lanes %d\n", n - bad, n, last; verdict(n == 32 && !bad) }
	' one-warp.csv

claim follows "Of several contended words the worst decides" "588 for 2, 3 and 5 lanes" "" '
	$1 == "2 and 3 and 5 lanes" { print $2; verdict($2 == 588) }' examples.csv

claim follows "The latency of position conflicts does not depend on the address" "equal" "" '
	$1 ~ /^4 lanes on word/ { if (n++ && $2 != last) bad = 1; last = $2 }
	END { printf "%d at %d addresses\n", last, n; verdict(n > 3 && !bad) }' examples.csv

claim follows "A load: t_bank for each way of a bank conflict, whatever the stride" "32 cycles" "" '
	$1 == "load" { if ($4 - 32 * ($6 - 1) != 52) bad++; n++ }
	END { printf "%d of %d patterns so\n", n - bad, n; verdict(n > 100 && !bad) }' one-warp.csv

claim follows "A store: the same" "32 cycles" "" '
	$1 == "store" { if ($4 - 32 * ($6 - 1) != 36) bad++; n++ }
	END { printf "%d of %d patterns so\n", n - bad, n; verdict(n > 100 && !bad) }' one-warp.csv

claim follows "\"short\": words in one bank, other locks" "68 a way" \
	"the text calls 68 typical and explains it as 2 * t_bank, which is 64; Algorithm 1 gives 64" '
	$1 == "atomic" && $2 == 32 && $3 == 2 { print $4 - 108; verdict($4 - 108 == 68) }' one-warp.csv

claim follows "Stride 32: (m - 1) * short, linear" "one slope, m = 2 to 32" "" '
	$1 == "atomic" && $2 == 32 && $3 > 1 { if ($4 - 108 != ($3 - 1) * 64) bad++; n++ }
	END { printf "%d of %d on the line of 64\n", n - bad, n; verdict(n == 31 && !bad) }' one-warp.csv

claim follows "\"long\": two words on one lock" "152 = t_position + t_bank" "" '
	$1 == "long" { print $2 - 108; verdict($2 - 108 == 152) }' examples.csv

claim follows "Each further word on a lock that has a loser: t_extra" "336 = long + long + 32" "" '
	$1 == "long-long-extra" { print $2 - 108; verdict($2 - 108 == 336) }' examples.csv

claim follows "Worked example long-long-extra-short" "336 + 64 (Algorithm 1)" "" '
	$1 == "long-long-extra-short" { print $2 - 108; verdict($2 - 108 == 400) }' examples.csv

claim follows "Worked example long-long-extra-short-short-extra" "336 + 160 (Algorithm 1)" "" '
	$1 == "long-long-extra-short-short-extra" { print $2 - 108; verdict($2 - 108 == 496) }' examples.csv

claim follows "Stride 256: the slope changes where a new multiple of 1,024 words enters" "at lanes 5 and 9" "" '
	$1 == "atomic" && $2 == 256 { cycles[$3] = $4 }
	END {
		for (m = 2; m <= 12; m++) {
			step = cycles[m] - cycles[m - 1]
			if (m > 2 && step > last) places = places (places ? ", " : "") m
			last = step
		}
		print "steeper at " places
		verdict(places ~ /^5, .*9/ || places == "5, 9")
	}' one-warp.csv

claim follows "The laws and worked examples of the paper, worked out at 69 patterns" "equal, but for 68 cycles where Algorithm 1 has 64: 5.9 %" "" '
	$1 == "median" { printf "median %.2f %%, at most %.1f %%\n", $2 * 100, worst * 100; verdict($2 == 0 && worst <= 4 / 68) }
	$1 == "worst" { worst = $2 }' laws.csv

# --- Throughput, and conflicts between warps ---

claim follows "The throughput of one warp halves when the conflict degree doubles" "a factor of 2" "" '
	NR > 1 { rate[$1] = $3 }
	END {
		for (d = 1; d <= 16; d *= 2) {
			ratio = rate[d] / rate[2 * d]
			text = text sprintf("%s%.2f", d > 1 ? ", " : "", ratio)
			if (off(ratio, 2) > 6) bad = 1
		}
		print text " from 1 to 32 lanes"
		verdict(!bad)
	}' throughput.csv

claim tests "Between warps the number of colliding lanes does not matter" "flat" "" '
	$1 == "lanes" { if (!n++ || $5 < low) low = $5; if ($5 > high) high = $5 }
	END { printf "within %.1f %% from 1 to 32 lanes\n", off(high, low); verdict(off(high, low) < 5) }
	' inter-warp.csv

claim chose "Between warps the number of colliding warps does" "throughput falls with it" "" '
	$1 == "warps" { if (n++ && $5 >= last) bad = 1; last = $5; if (n == 1) first = $5 }
	END { printf "falls by %.1f from 1 to 16 warps\n", first / last; verdict(n > 5 && !bad) }' inter-warp.csv

claim chose "Conflicts between warps cost less than within a warp" "n warps less than n lanes, n > 1" "" '
	$1 == "warps" { warps[$2] = $4 }
	$1 == "intra" && $3 == 1 { intra[$2] = $4 }
	END {
		for (n in warps) if (n > 1) {
			if (warps[n] >= intra[n]) bad = 1
			if (n == 16) printf "16: %d against %d cycles\n", warps[n], intra[n]
		}
		verdict(!bad)
	}' inter-warp.csv

claim chose "... far less" "the 16-fold conflict costs at most half as much" "" '
	$1 == "warps" { warps[$2] = $4 }
	$1 == "intra" && $3 == 1 { intra[$2] = $4 }
	END {
		share = (warps[16] - warps[1]) / (intra[16] - intra[1])
		printf "%.0f %%\n", share * 100
		verdict(share <= 0.5)
	}' inter-warp.csv

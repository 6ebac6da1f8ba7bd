# SPDX-License-Identifier: MIT
# An article's tables of an A100: adds to m words in global memory, histograms, scans, costs. claims.sh reads this.
# Only the times for 1 and for 2^20 words were used to choose constants.
# The awk programs stand in single quotes.
# shellcheck shell=bash disable=SC2016

gpu "NVIDIA A100"

figures='$1 == "a100" { published[$2] = $4; simulated[$2] = $5; good[$2] = $7 }
	function time(m) { return simulated["atomics-" m "-time"] }
	function stated(m) { return published["atomics-" m "-time"] }'

claim tests "2^20 adds to m words: time falls with m" "1, 32, 256, 1,024, 65,536, 2^20 words" "" "$figures"'
	END {
		n = split("1 32 256 1024 65536 1048576", words, " ")
		for (i = 1; i <= n; i++) {
			if (i > 1 && time(words[i]) >= time(words[i - 1])) bad = 1
			text = text sprintf("%s%.4g", i > 1 ? ", " : "", time(words[i]))
		}
		print text " ms"
		verdict(!bad)
	}' a100.csv

claim chose "1 word, an atomic a thread: l2.sector_mclk" "3.2 ms, within 10 %" "" "$figures"'
	END { printf "%.2f ms\n", time(1); verdict(off(time(1), stated(1)) <= 10) }' a100.csv

claim tests "32 words: four sectors of one line" "0.42 ms, within 10 %" "" "$figures"'
	END { printf "%.3f ms\n", time(32); verdict(off(time(32), stated(32)) <= 10) }' a100.csv

for words in 256 1024; do
	claim tests "$words words" "within 35 %" "" "$figures"'
		END { m = '$words'; printf "%.3f ms, published %s\n", time(m), stated(m); verdict(off(time(m), stated(m)) <= 35) }
		' a100.csv
done

claim tests "65,536 words: launch and issue" "0.021 ms, within 20 %" "" "$figures"'
	END { printf "%.4f ms\n", time(65536); verdict(off(time(65536), stated(65536)) <= 20) }' a100.csv

claim tests "1 word as nvcc compiles it, one atomic a warp" "20 to 32 times as fast" "" "$figures"'
	END { x = simulated["derived-aggregated"]; printf "%.1f times\n", x; verdict(x >= 20 && x <= 32) }' a100.csv

claim tests "The same adds on the H200, measured by us: 1, 32 and 256 words" "0.768, 0.081, 0.040 ms, within 10 %" "" '
	$1 == "h200" && ($2 == "h200-1" || $2 == "h200-32" || $2 == "h200-256") {
		text = text sprintf("%s%.4g", n++ ? ", " : "", $5)
		if (off($5, $4) > 10) bad = 1
	}
	END { print text " ms"; verdict(n == 3 && !bad) }' a100.csv

claim tests "... 1,024 words and more" "0.0139, 0.0044, 0.0044 ms, within 10 %" \
	"2 to 4 us between two kernels are in what was measured, and not in what is simulated" '
	$1 == "h200" && ($2 == "h200-1024" || $2 == "h200-65536" || $2 == "h200-1048576") {
		text = text sprintf("%s%.4f", n++ ? ", " : "", $5)
		if (off($5, $4) > 10) bad = 1
	}
	END { print text " ms"; verdict(n == 3 && !bad) }' a100.csv

claim tests "Histogram of 10,000,000: a copy a block beats global atomics" "faster" "" "$figures"'
	END {
		printf "%.2f against %.2f ms\n", simulated["histogram-block-time"], simulated["histogram-global-time"]
		verdict(simulated["histogram-block-time"] < simulated["histogram-global-time"])
	}' a100.csv

claim tests "... a copy a warp beats a copy a block" "faster" \
	"they take the same; so they do on the H200, where 4,194,304 elements took 22,605 and 23,345 cycles (measurements/h200/launches.csv)" "$figures"'
	END {
		printf "%.4f against %.4f ms\n", simulated["histogram-warp-time"], simulated["histogram-block-time"]
		verdict(simulated["histogram-warp-time"] < simulated["histogram-block-time"])
	}' a100.csv

claim tests "... by how much" "6.5 and 9.6 times, within 40 %" \
	"the H200 has 94 times (2,136,107 against 22,605 cycles); grid and data are not published, and 1.82 ms for 10,000,000 random adds do not fit the article's own 0.11 ms for 1,048,576" "$figures"'
	END {
		printf "%.0f and %.0f times\n", simulated["histogram-block-speedup"], simulated["histogram-warp-speedup"]
		verdict(good["histogram-block-speedup"] == "holds" && good["histogram-warp-speedup"] == "holds")
	}' a100.csv

claim tests "Scan: by shuffles is the fastest" "than by Blelloch and by Hillis and Steele" "" "$figures"'
	END {
		w = simulated["scan-warp-time"]; b = simulated["scan-blelloch-time"]; h = simulated["scan-hillis-time"]
		printf "%.3f against %.3f and %.3f ms, a quarter of the elements\n", w, b, h
		verdict(w < b && w < h)
	}' a100.csv

claim tests "Scan: Blelloch beats Hillis and Steele" "3.0 times" \
	"half of its threads idle and its strides collide in the banks; on the H200 it is slower too, 80,405 against 69,655 cycles (measurements/h200/launches.csv, 1,024 blocks)" "$figures"'
	END { x = simulated["scan-blelloch-speedup"]; printf "%.2f times\n", x; verdict(x > 1) }' a100.csv

claim tests "A warp's sum: shuffles beat shared memory" "faster" "" "$figures"'
	END { x = simulated["cost-shuffle-wins"]; printf "%.2f times, the whole kernel\n", x; verdict(x > 1) }' a100.csv

shown "... by 60 times" "60" \
	"a shuffle takes 24 cycles, not 1, and the load and the atomic around it remain; on the H200 the sums of 1,048,576 take 12,446 and 12,528 cycles" "$figures"'
	END { printf "%.2f times\n", simulated["cost-shuffle-speedup"] }' a100.csv

shown "A hierarchy beats one contended histogram" "90 times, 2 and 180 GB/s" \
	"10,000 integers at 180 GB/s are 0.22 us, less than a launch: no measurement. The H200 has 94 times for 4,194,304" "$figures"'
	END { printf "%.0f times for 10,000,000\n", simulated["histogram-block-speedup"] }' a100.csv

shown "A contended atomic" "400 cycles" \
	"a latency; 400 cycles between two would make 297 ms of the 3.2" "$figures"'
	END { printf "%.2f cycles from one to the next\n", time(1) * 1410000 / 1048576 }' a100.csv

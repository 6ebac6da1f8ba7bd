# SPDX-License-Identifier: MIT
# An article's tables of an A100: adds to m words in global memory, histograms, scans, costs. claims.sh reads this.
# a100.json has nothing of the article; a100-article.json two constants fitted to its times for 1 and for 2^20 words.
# The awk programs stand in single quotes.
# shellcheck shell=bash disable=SC2016

gpu "NVIDIA A100"

figures='$1 == "a100" || $1 == "a100-article" { published[$2] = $4; simulated[$1, $2] = $5; good[$1, $2] = $7 }
	function own(figure) { return simulated["a100", figure] }
	function article(figure) { return simulated["a100-article", figure] }
	function time(m) { return article("atomics-" m "-time") }
	function stated(m) { return published["atomics-" m "-time"] }'

claim tests "Table 1, 2^20 adds to m words: time falls with m" "1, 32, 256, 1,024, 65,536, 2^20 words" "" "$figures"'
	END {
		n = split("1 32 256 1024 65536 1048576", words, " ")
		for (i = 1; i <= n; i++) {
			t = own("atomics-" words[i] "-time")
			if (i > 1 && t >= last) bad = 1
			last = t
			text = text sprintf("%s%.4g", i > 1 ? ", " : "", t)
		}
		print text " ms"
		verdict(!bad)
	}' a100.csv

# Of one machine and data the article's tables contradict each other by a factor of three.
tables="tables 1 and 2 contradict each other: what explains the naive histogram makes these adds 3.4 times too fast, and what explains them (a100-article.json) makes that histogram 2.9 times too slow"
claim tests "Table 1: 1, 32, 256 words, with what was published elsewhere of an A100" "3.2, 0.42, 0.11 ms, within 40 %" "$tables" "$figures"'
	END {
		printf "%.3f, %.3f, %.4f ms\n", own("atomics-1-time"), own("atomics-32-time"), own("atomics-256-time")
		verdict(off(own("atomics-1-time"), 3.2) <= 40 && off(own("atomics-32-time"), 0.42) <= 40 && off(own("atomics-256-time"), 0.11) <= 40)
	}' a100.csv

claim tests "... 1,024, 65,536, 2^20 words" "0.048, 0.021, 0.018 ms, within 40 %" "what a launch costs between two events is in these times, and no source has it for an A100: a100.json counts none" "$figures"'
	END {
		printf "%.4f, %.4f, %.4f ms\n", own("atomics-1024-time"), own("atomics-65536-time"), own("atomics-1048576-time")
		verdict(off(own("atomics-1024-time"), 0.048) <= 40 && off(own("atomics-65536-time"), 0.021) <= 40 && off(own("atomics-1048576-time"), 0.018) <= 40)
	}' a100.csv

claim chose "a100-article.json: 1 word, an atomic a thread: l2.sector_mclk" "3.2 ms, within 10 %" "" "$figures"'
	END { printf "%.2f ms\n", time(1); verdict(off(time(1), stated(1)) <= 10) }' a100.csv

claim chose "... 2^20 words: launch_ns" "0.018 ms, within 10 %" "" "$figures"'
	END { printf "%.4f ms\n", time(1048576); verdict(off(time(1048576), stated(1048576)) <= 10) }' a100.csv

claim tests "... 32 words: four sectors of one line" "0.42 ms, within 10 %" "" "$figures"'
	END { printf "%.3f ms\n", time(32); verdict(off(time(32), stated(32)) <= 10) }' a100.csv

for words in 256 1024; do
	claim tests "... $words words" "within 35 %" "" "$figures"'
		END { m = '$words'; printf "%.3f ms, published %s\n", time(m), stated(m); verdict(off(time(m), stated(m)) <= 35) }
		' a100.csv
done

claim tests "... 65,536 words: launch and issue" "0.021 ms, within 20 %" "" "$figures"'
	END { printf "%.4f ms\n", time(65536); verdict(off(time(65536), stated(65536)) <= 20) }' a100.csv

shown "Table 1, Gops/s and ratios" "0.33 to 58.1 Gops/s, 1 to 176 times" "the same six times once more: no rows of their own" "$figures"'
	END { printf "%.2f to %.1f Gops/s, 1 to %.0f times\n", 1.048576 / own("atomics-1-time"), 1.048576 / own("atomics-1048576-time"), own("atomics-1048576-relative") }' a100.csv

claim tests "1 word as nvcc compiles it, one atomic a warp" "20x to 32x faster" "" "$figures"'
	END { x = own("derived-aggregated"); printf "%.1f times\n", x; verdict(x >= 20 && x <= 32) }' a100.csv

claim tests "The same adds on the H200, measured by us: 1, 32 and 256 words" "0.768, 0.081, 0.040 ms, within 10 %" "" '
	$1 == "h200" && ($2 == "h200-1" || $2 == "h200-32" || $2 == "h200-256") {
		text = text sprintf("%s%.4g", n++ ? ", " : "", $5)
		if (off($5, $4) > 10) bad = 1
	}
	END { print text " ms"; verdict(n == 3 && !bad) }' a100.csv

claim tests "... 1,024 words and more" "0.0139, 0.0044, 0.0044 ms, within 10 %" \
	"1 to 3 us between two kernels are in what was measured beyond the 1.51 that a launch takes here" '
	$1 == "h200" && ($2 == "h200-1024" || $2 == "h200-65536" || $2 == "h200-1048576") {
		text = text sprintf("%s%.4f", n++ ? ", " : "", $5)
		if (off($5, $4) > 10) bad = 1
	}
	END { print text " ms"; verdict(n == 3 && !bad) }' a100.csv

claim tests "Table 2, histogram of 10,000,000: global atomics" "1.82 ms, within 40 %" "" "$figures"'
	END { t = own("histogram-global-time"); printf "%.2f ms\n", t; verdict(off(t, 1.82) <= 40) }' a100.csv

claim tests "... with a100-article.json" "1.82 ms, within 40 %" "$tables" "$figures"'
	END { t = article("histogram-global-time"); printf "%.2f ms\n", t; verdict(off(t, 1.82) <= 40) }' a100.csv

copies="grid and data are not published (432 blocks are taken); 40 MB at 1,555 GB/s take 0.026 ms, and the H200 took 94 times less than with global atomics, the article 6.5"
for copy in "block 0.28" "warp 0.19"; do
	claim tests "... a copy a ${copy% *}" "${copy#* } ms, within 40 %" "$copies" "$figures"'
		END { t = own("histogram-'"${copy% *}"'-time"); printf "%.3f ms\n", t; verdict(off(t, '"${copy#* }"') <= 40) }' a100.csv
done

claim tests "... a copy a block beats global atomics" "faster" "" "$figures"'
	END {
		printf "%.3f against %.2f ms\n", own("histogram-block-time"), own("histogram-global-time")
		verdict(own("histogram-block-time") < own("histogram-global-time"))
	}' a100.csv

claim tests "... a copy a warp beats a copy a block" "faster" \
	"they take the same; so they do on the H200, where 4,194,304 elements took 22,605 and 23,345 cycles (measurements/h200/launches.csv)" "$figures"'
	END {
		printf "%.4f against %.4f ms\n", own("histogram-warp-time"), own("histogram-block-time")
		verdict(own("histogram-warp-time") < own("histogram-block-time"))
	}' a100.csv

claim tests "... by how much" "6.5 and 9.6 times, within 40 %" "$copies" "$figures"'
	END {
		printf "%.0f and %.0f times\n", own("histogram-block-speedup"), own("histogram-warp-speedup")
		verdict(good["a100", "histogram-block-speedup"] == "holds" && good["a100", "histogram-warp-speedup"] == "holds")
	}' a100.csv

shown "... by CUB" "0.16 ms, 11.4 times, for 10,000,000 elements in 256 bins" \
	"CUB has no launch of that size here; its sweep of 14,000 elements in 32 bins and of 100 bins of given borders, captured on an H200, run on a100.json" '
	$1 == "a100" && $2 ~ /^cub-/ { text = text sprintf("%s%s %.2f us", n++ ? ", " : "", $2, $5) }
	END { print text }' a100.csv

claim tests "Table 3, scan of 16,777,216: Hillis and Steele, Blelloch, by shuffles" "2.45, 0.82, 0.51 ms, within 40 %" \
	"16,384 blocks at what 1,024 took on the H200 (69,655 and 80,405 cycles, launches.csv) would be 0.56 and 0.65 ms there; how the article's kernels were launched is not said" "$figures"'
	END {
		printf "%.3f, %.3f, %.3f ms\n", own("scan-hillis-time"), own("scan-blelloch-time"), own("scan-warp-time")
		verdict(off(own("scan-hillis-time"), 2.45) <= 40 && off(own("scan-blelloch-time"), 0.82) <= 40 && off(own("scan-warp-time"), 0.51) <= 40)
	}' a100.csv

claim tests "... by shuffles is the fastest" "than by Blelloch and by Hillis and Steele" "" "$figures"'
	END {
		w = own("scan-warp-time"); b = own("scan-blelloch-time"); h = own("scan-hillis-time")
		printf "%.3f against %.3f and %.3f ms\n", w, b, h
		verdict(w < b && w < h)
	}' a100.csv

claim tests "... Blelloch beats Hillis and Steele" "3.0 times" \
	"half of its threads idle and its strides collide in the banks; on the H200 it is slower too, 80,405 against 69,655 cycles (measurements/h200/launches.csv, 1,024 blocks)" "$figures"'
	END { x = own("scan-blelloch-speedup"); printf "%.2f times\n", x; verdict(x > 1) }' a100.csv

shown "... GB/s; ratios; CUB" "52.4, 156.6, 251.7; 3.0, 4.8; 0.38 ms, 337.5 GB/s, 6.4" "128 MB by the times above, whatever the kernels move; no launch of CUB's scan of that size is at hand" "$figures"'
	function rate(figure) { return 0.128427 / own(figure) * 1000 }
	END {
		h = own("scan-hillis-time")
		printf "%.0f, %.0f, %.0f; %.2f, %.2f; -\n", rate("scan-hillis-time"), rate("scan-blelloch-time"), rate("scan-warp-time"),
			h / own("scan-blelloch-time"), h / own("scan-warp-time")
	}' a100.csv

claim tests "A warp's sum: shuffles beat shared memory" "faster" "" "$figures"'
	END { x = own("cost-shuffle-wins"); printf "%.2f times, the whole kernel\n", x; verdict(x > 1) }' a100.csv

shown "... by 60 times" "60" \
	"a shuffle takes 24 cycles, not 1, and the load and the atomic around it remain; on the H200 the sums of 1,048,576 take 12,446 and 12,528 cycles" "$figures"'
	END { printf "%.2f times\n", own("cost-shuffle-speedup") }' a100.csv

shown "Costs in cycles: a warp's sum by shuffles, by shared memory; a block's; a block's with an atomic" "5, 300; 50; 500" \
	"estimates in comments of its code, of a cycle a shuffle; simulated are whole kernels, loads and stores included" "$figures"'
	END {
		printf "%d, %d; %d; %d\n", own("cost-warp-shuffle-sum"), own("cost-warp-shared-sum"), own("cost-block-sum"), own("cost-block-atomic")
	}' a100.csv

claim tests "Headline: 10,000 threads on one histogram, and by copies of blocks" "20 and 0.22 us (2 and 180 GB/s), 90 times, within 40 %" \
	"10,000 integers are 40 KB, and 0.22 us is less than any launch: no measurement. The H200 has 94 times for 4,194,304" "$figures"'
	END {
		g = own("headline-global-time"); b = own("headline-block-time"); w = own("headline-warp-time")
		printf "%.2f and %.2f us, %.1f times; a copy a warp %.2f us\n", g, b, g / b, w
		verdict(off(g / b, 90) <= 40 && off(g, 20) <= 40)
	}' a100.csv

shown "A contended atomic" "400 cycles" \
	"a latency; 400 cycles between two would make 297 ms of the 3.2" "$figures"'
	END { printf "%.2f cycles from one to the next\n", own("atomics-1-time") * 1410000 / 1048576 }' a100.csv

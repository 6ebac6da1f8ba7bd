# SPDX-License-Identifier: MIT
# Whole kernels: k-means (Fig 8), histogram (Fig 9), and kernels without atomics. claims.sh reads this.
# The awk programs stand in single quotes.
# shellcheck shell=bash disable=SC2016

# --- k-means, Fig 8 ---

claim chose "k-means, counters alone: best R" "8, 4, 2 for 128, 256, 512 clusters" "" '
	$1 == 0 && $3 == 0 && $4 == "cyclic" && (!($2 in best) || $6 < best[$2]) { best[$2] = $6; at[$2] = $5 }
	END {
		printf "%d, %d, %d\n", at[128], at[256], at[512]
		verdict(at[128] == 8 && at[256] == 4 && at[512] == 2)
	}' kmeans.csv

alias_reason="at R * V = 1,024 words a cluster's counter and sums share a lock bit, so warps at different sums collide; counters alone, or 16,384 lock bits, give the paper's R or more"
for clusters in 128 256 512; do
	claim chose "k-means: best R for $clusters clusters" "$((1024 / clusters)) for 2, 4 and 5 components" \
		"$alias_reason" '
		$1 > 0 && $2 == '$clusters' && $3 == 0 && $4 == "cyclic" {
			if (!($1 in best) || $6 < best[$1]) { best[$1] = $6; at[$1] = $5 }
		}
		END {
			printf "%d, %d, %d\n", at[2], at[4], at[5]
			want = 1024 / '$clusters'
			verdict(at[2] == want && at[4] == want && at[5] == want)
		}' kmeans.csv
done

# shellcheck disable=SC2154 # here: of claims.sh
shown "k-means: best R for 128; 256; 512 clusters, 2, 4 and 5 components, with one thing changed" "8; 4; 2 for all" \
	"clusters of unequal sizes, as real data have, give it for 2 components; nothing tried gives it for 4 and 5. Why hardware of 1,024 lock bits does not show the alias there is not known" '
	function list(name,   c, m, text) {
		for (c = 128; c <= 512; c *= 2) {
			text = text (c > 128 ? ";" : "")
			for (m = 2; m <= 5; m++) if ((name, m, c) in at) text = text " " at[name, m, c]
		}
		return text
	}
	FILENAME ~ /plane/ { if ($3 ~ /best R with/) { n++; held += $5 } next }
	$1 > 0 && $4 == "cyclic" {
		name = (FILENAME ~ /alike/ ? "alike" : FILENAME ~ /sizes/ ? "sizes" : "drawn") $3
		if (!((name, $1, $2) in best) || $6 < best[name, $1, $2]) { best[name, $1, $2] = $6; at[name, $1, $2] = $5 }
	}
	END {
		printf "clusters of unequal sizes:%s; padded:%s; neighbours alike:%s, padded:%s; with 2 components %d of %d in 35 splits\n", list("sizes0"), list("drawn1"), list("alike0"), list("alike1"), held, n
	}' kmeans.csv kmeans-sizes.csv kmeans-alike.csv "$here/../../plots/plane.csv"

claim tests "k-means: replication beyond 1,024 words never pays" "slower than the best R within" "" '
	$3 == 0 && $4 == "cyclic" {
		k = $1 FS $2
		seen[k]
		if ($2 * $5 <= 1024) { if (!(k in in_) || $6 < in_[k]) in_[k] = $6 }
		else if (!(k in out) || $6 < out[k]) out[k] = $6
	}
	END {
		for (k in seen) if (k in out) { n++; if (out[k] <= in_[k]) bad++ }
		printf "so in %d of %d cases\n", n - bad, n
		verdict(n > 5 && !bad)
	}' kmeans.csv

claim chose "k-means: block mapping is always worse than cyclic at R < warps" "every case, R = 2 to 31" \
	"lanes collide equally often in both if clusters are drawn at random, and block mapping also parts the warps" '
	$3 == 0 && $5 > 1 && $5 < 32 { if ($4 == "cyclic") c[$1, $2, $5] = $6; else b[$1, $2, $5] = $6 }
	END {
		for (i in c) { n++; if (b[i] > c[i]) worse++ }
		printf "worse in %d of %d\n", worse, n
		verdict(worse == n)
	}' kmeans.csv

claim chose "... where neighbouring objects are alike" "every case within 1,024 words, R > 1" "" '
	$3 == 0 && $5 > 1 && $2 * $5 <= 1024 { if ($4 == "cyclic") c[$1, $2, $5] = $6; else b[$1, $2, $5] = $6 }
	END {
		for (i in c) { n++; if (b[i] > c[i]) worse++ }
		printf "worse in %d of %d\n", worse, n
		verdict(worse == n)
	}' kmeans-alike.csv

claim tests "k-means: padding has no effect (clusters drawn at random)" "under 10 %" "" '
	NR > 1 { if ($3 == 0) p[$1, $2, $4, $5] = $6; else q[$1, $2, $4, $5] = $6 }
	END {
		for (i in q) if (off(q[i], p[i]) > worst) worst = off(q[i], p[i])
		printf "at most %.1f %%\n", worst
		verdict(worst < 10)
	}' kmeans.csv

# --- Histogram, Fig 9 ---

claim chose "Histogram without padding: worse once R * B > 1,024 words" "every B, both mappings" "" '
	NR > 1 && $2 == 0 { cycles[$1, $3, $4] = $5 }
	END {
		for (bins = 32; bins <= 4096; bins *= 2) {
			last = bins <= 1024 ? 1024 / bins : 1
			for (i = 0; i < 2; i++) {
				mapping = i ? "block" : "cyclic"
				n++
				if (cycles[bins, mapping, 2 * last] <= cycles[bins, mapping, last]) bad++
			}
		}
		printf "so in %d of %d cases\n", n - bad, n
		verdict(!bad)
	}' histogram.csv

claim tests "Histogram without padding: beyond 1,024 words cyclic mapping loses more" "than block mapping, 32 to 256 bins, each R" \
	"with 32 bins these are more than 32 copies, a part of a warp each, and block mapping, too, has a word of neighbours in copies of one lock" '
	NR > 1 && $2 == 0 { cycles[$1, $3, $4] = $5 }
	END {
		for (bins = 32; bins <= 256; bins *= 2) for (r = 2 * 1024 / bins; (bins, "cyclic", r) in cycles; r *= 2) {
			n++
			c = cycles[bins, "cyclic", r] / cycles[bins, "cyclic", 1024 / bins]
			b = cycles[bins, "block", r] / cycles[bins, "block", 1024 / bins]
			if (c <= b) bad++
		}
		printf "so in %d of %d cases\n", n - bad, n
		verdict(n > 5 && !bad)
	}' histogram.csv

shown "Histogram: block mapping at 1 < R < 32, padded (the paper's conclusion, of both kernels)" "slower than cyclic" \
	"block mapping gains by parting warps, as below" '
	NR > 1 && $2 == 1 && $4 > 1 && $4 < 32 { cycles[$1, $4, $3] = $5 }
	END {
		for (i in cycles) {
			split(i, at, SUBSEP)
			if (at[3] != "cyclic") continue
			n++
			if (cycles[at[1], at[2], "block"] > cycles[i]) slower++
		}
		printf "slower in %d of %d cases\n", slower, n
	}' histogram.csv

best_times='
	NR > 1 {
		k = $1 FS $2 FS $3
		if (!(k in best) || $5 < best[k]) best[k] = $5
	}
	function gain(bins, mapping) { return best[bins FS 0 FS mapping] / best[bins FS 1 FS mapping] }'
claim chose "Histogram: padding helps both mappings below 512 bins" "faster at the best R" "" "$best_times"'
	END {
		for (bins = 32; bins <= 256; bins *= 2) {
			if (gain(bins, "cyclic") <= 1 || gain(bins, "block") <= 1) bad = 1
			c = c sprintf(" %.1f", gain(bins, "cyclic")); b = b sprintf(" %.1f", gain(bins, "block"))
		}
		print "cyclic" c ", block" b " times"
		verdict(!bad)
	}' histogram.csv

claim chose "Histogram: padding helps cyclic mapping most" "every B up to 512" "" "$best_times"'
	END {
		for (bins = 32; bins <= 512; bins *= 2) {
			if (gain(bins, "cyclic") <= gain(bins, "block")) bad = 1
			text = text sprintf("%s%.1f / %.1f", bins > 32 ? ", " : "", gain(bins, "cyclic"), gain(bins, "block"))
		}
		print text
		verdict(!bad)
	}' histogram.csv

claim tests "Histogram: ... and below 256 bins" "more than from 256 on, cyclic" "" "$best_times"'
	END {
		low = gain(32, "cyclic")
		for (bins = 64; bins < 256; bins *= 2) if (gain(bins, "cyclic") < low) low = gain(bins, "cyclic")
		for (bins = 256; bins <= 4096; bins *= 2) if (gain(bins, "cyclic") > high) high = gain(bins, "cyclic")
		printf "at least %.1f times below, at most %.1f from there\n", low, high
		verdict(low > high)
	}' histogram.csv

claim tests "Histogram: padding of block mapping is useful beyond 1,024 words only" "within 10 % up to there, faster beyond" "" '
	NR > 1 && $3 == "block" && $4 > 1 { cycles[$1, $4, $2] = $5 }
	END {
		least = 100
		for (i in cycles) {
			split(i, at, SUBSEP)
			if (at[3] != 0 || !((at[1], at[2], 1) in cycles)) continue
			gain = cycles[i] / cycles[at[1], at[2], 1]
			if (at[1] * at[2] <= 1024 && abs(gain - 1) > most) most = abs(gain - 1)
			if (at[1] * at[2] > 1024 && gain < least) least = gain
			if (gain > best) best = gain
		}
		printf "within %.0f %%; %.2f to %.2f times beyond\n", most * 100, least, best
		verdict(most <= 0.1 && least > 1)
	}' histogram.csv

claim tests "Histogram: both mappings perform alike above 256 bins" "within 25 %, padded or not" \
	"block mapping gains by parting warps, as below, which the paper does not see" '
	NR > 1 && $1 > 256 && $4 > 1 { cycles[$1, $2, $4, $3] = $5 }
	END {
		for (i in cycles) {
			split(i, at, SUBSEP)
			if (at[4] != "cyclic") continue
			ratio = cycles[at[1], at[2], at[3], "block"] / cycles[i]
			if (!n++ || ratio < least) least = ratio
			if (ratio > most) most = ratio
		}
		printf "block takes %.2f to %.2f of cyclic\n", least, most
		verdict(least >= 0.75 && most <= 1.25)
	}' histogram.csv

claim chose "Histogram: block mapping without padding gains little until R > 32" "under 1.5 times, 32 bins" \
	"with one copy 32 warps try for a few locks, over a hundred rounds a vote, and their tries fill the schedulers; with 32 each warp has a copy of its own. What was tried is in the next row" '
	$1 == 32 && $2 == 0 && $3 == "block" { cycles[$4] = $5 }
	END { printf "%.1f times at R = 32\n", cycles[1] / cycles[32]; verdict(cycles[1] / cycles[32] < 1.5) }
	' histogram.csv
shown "... with one thing changed at a time" "under 1.5 times" \
	"shorter and longer locks, other winners, schedulers, banks, bandwidth and data all leave it above; blocks of 128 threads, of which the paper says that they take as long, do not. Two-level scheduling and gto livelock with one copy. One image of van Hateren's, by hand: 5.8" '
	NR > 1 && $3 { printf "%s%s %.1f", n++ ? "; " : "", $1, $2 / $3 }
	END { print "" }' mapping.csv
claim tests "Histogram: 16 to 128 blocks of 128 to 1,024 threads take similar times (4.2.1)" "256 bins, one copy: within 25 % of each other" \
	"more resident warps spend more on tries for the same locks, as above" '
	/^256 bins by/ {
		printf "%s%s %.0f", n++ ? ", " : "", substr($1, 13), $2 / 1000
		if (n == 1 || $2 < least) least = $2
		if ($2 > most) most = $2
	}
	END { print " thousand cycles"; verdict(n == 5 && most / least <= 1.25) }' mapping.csv

# --- Whole kernels without atomics ---

claim follows "C++ AMP: the ways of a conflict of a store into a tile's column, 32 x 32; padded" "32; none" "" '
	$1 == "transpose" { ways[$2] = $7 / $4 / 32 + 1 }
	END { printf "%d; %d\n", ways["padding 0"], ways["padding 1"]; verdict(ways["padding 0"] == 32 && ways["padding 1"] == 1) }' tiles.csv
claim follows "... conflicts of a sum by interleaved and by sequential addressing" "some; none" "" '
	$1 == "reduction" { passes[$2] = $7 / $4 }
	END {
		printf "%d and %d passes a block\n", passes["interleaved"], passes["sequential"]
		verdict(passes["interleaved"] > 0 && passes["sequential"] == 0)
	}' tiles.csv
claim tests "Transpose 8192 x 8192: bank conflicts cost" "5.45 ms, within 10 %" \
	"the banks lose 5.2 ms to the extra passes, and a tenth of that goes on while warps wait for global memory, as they do with padding" '
	$1 == "transpose" { time[$2] = $8 }
	END {
		d = time["padding 0"] - time["padding 1"]
		printf "%.2f ms\n", d
		verdict(off(d, 5.45) <= 10)
	}' tiles.csv
claim tests "Transpose: plain" "13.05 ms, within 10 %" "" '
	$1 == "transpose" && $2 == "padding 0" { printf "%.2f ms\n", $8; verdict(off($8, 13.05) <= 10) }' tiles.csv
claim tests "Transpose: padded" "7.60 ms, within 10 %" "" '
	$1 == "transpose" && $2 == "padding 1" { printf "%.2f ms\n", $8; verdict(off($8, 7.60) <= 10) }' tiles.csv
shown "... what padding saves" "about 40 %" "the same two times once more" '
	$1 == "transpose" { time[$2] = $8 }
	END { printf "%.0f %%\n", 100 - 100 * time["padding 1"] / time["padding 0"] }' tiles.csv
claim tests "Sum of 16,777,216 floats: sequential addressing is faster" "than interleaved" "" '
	$1 ~ /^reduction/ { time[$2] += $8 }
	END {
		printf "%.2f against %.2f ms\n", time["sequential"], time["interleaved"]
		verdict(time["sequential"] < time["interleaved"])
	}' tiles.csv
shown "... predicted, interleaved and sequential; the loop that launches its passes is what the article times" "not in the texts at hand" \
	"the barrier of C++ AMP is a fence of all memory: here it waits for what is under way, which is nothing" '
	$1 ~ /^reduction/ { time[$2] += $8 }
	END { printf "%.2f and %.2f ms\n", time["interleaved"], time["sequential"] }' tiles.csv
shown "... and transposes, if a fence with nothing under way took a trip to the L2, 310 cycles" "13.05, 7.60 ms" \
	"what it takes on Fermi was found in no source; 310 cycles of the L2: Andersch et al., ISPASS 2015" '
	$1 == "fenced transpose" { text = text sprintf("%.2f, ", $8) }
	$1 ~ /^fenced reduction/ { time[$2] += $8 }
	END { printf "%ssum %.2f and %.2f ms\n", text, time["interleaved"], time["sequential"] }' tiles.csv

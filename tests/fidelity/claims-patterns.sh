# SPDX-License-Identifier: MIT
# Random patterns of one warp in a replicated vote space (Fig 5, 6, 7). claims.sh reads this.
# The awk programs stand in single quotes.
# shellcheck shell=bash disable=SC2016

# --- Random patterns: replication, mapping, padding ---

claim tests "Random data: best at the largest R with R * V <= 1,024 words" "V = 32 to 1,024, cyclic" "" '
	$1 == "random" && $2 == "cyclic" && $3 == 0 { cycles[$4, $5] = $7 }
	END {
		for (v = 32; v <= 1024; v *= 2) {
			best = cycles[v, 1]
			for (r = 2; r <= 32; r *= 2) if (cycles[v, r] < best) best = cycles[v, r]
			found = cycles[v, 1024 / v]
			if (off(found, best) > worst) worst = off(found, best)
		}
		printf "within %.1f %% of the best R\n", worst
		verdict(worst < 2)
	}' patterns.csv

claim tests "Random data: the largest R cuts the latency below 1,024 words, and from there on not even the lock degree (Fig 6)" \
	"faster; within 3 %" "" '
	$1 == "random" && $2 == "cyclic" && $3 == 0 && ($5 == 1 || $5 == 32) { cycles[$4, $5] = $7; degree[$4, $5] = $11 }
	END {
		least = 100
		for (v = 32; v <= 4096; v *= 2) {
			gain = 100 - 100 * cycles[v, 32] / cycles[v, 1]
			if (v < 1024 && gain < least) least = gain
			if (v >= 1024 && off(degree[v, 32], degree[v, 1]) > most) most = off(degree[v, 32], degree[v, 1])
		}
		printf "at least %.0f %% faster; within %.1f %%\n", least, most
		verdict(least > 5 && most <= 3)
	}' patterns.csv

claim tests "Random data: cyclic = block mapping" "equal" "" '
	$1 == "random" && $3 == 0 { if ($2 == "cyclic") c[$4, $5] = $7; else b[$4, $5] = $7 }
	END {
		for (i in c) if (off(b[i], c[i]) > worst) worst = off(b[i], c[i])
		printf "within %.1f %%\n", worst
		verdict(worst < 3)
	}' patterns.csv

claim tests "Random data: padding has no effect" "equal" "" '
	$1 == "random" { if ($3 == 0) p[$2, $4, $5] = $7; else q[$2, $4, $5] = $7 }
	END {
		for (i in p) if (off(q[i], p[i]) > worst) worst = off(q[i], p[i])
		printf "within %.1f %%\n", worst
		verdict(worst < 3)
	}' patterns.csv

claim tests "Sorted data: cyclic mapping gains below 1,024 words, not from there on" "R = 2 against 1" "" '
	$1 == "sorted" && $2 == "cyclic" && $3 == 0 { cycles[$4, $5] = $7 }
	END {
		least = 100
		for (v = 32; v <= 4096; v *= 2) {
			gain = 100 - 100 * cycles[v, 2] / cycles[v, 1]
			if (v < 1024 && gain < least) least = gain
			if (v >= 1024 && abs(gain) > most) most = abs(gain)
		}
		printf "at least %.0f %%; from 1,024 words within %.1f %%\n", least, most
		verdict(least > 5 && most < 3)
	}' patterns.csv

claim tests "Sorted data: padding gains more" "a faster best R, V = 32 to 4,096, cyclic" "" '
	$1 == "sorted" && $2 == "cyclic" {
		if (!(($3, $4) in best) || $7 < best[$3, $4]) best[$3, $4] = $7
	}
	END {
		for (v = 32; v <= 4096; v *= 2) {
			if (best[1, v] >= best[0, v]) bad = 1
			if (v == 32 || v == 1024)
				text = text sprintf("%sV = %d: %.0f to %.0f", v > 32 ? ", " : "", v, best[0, v], best[1, v])
		}
		print text
		verdict(!bad)
	}' patterns.csv

sorted_block='
	$1 == "sorted" && $2 == "block" && $3 == 0 && $4 < 1024 { cycles[$4, $5] = $7 }
	# The greatest gain over R = 1, in per cent.
	function greatest(r,   v, gain, most) {
		for (v = 32; v < 1024; v *= 2) {
			gain = 100 - 100 * cycles[v, r] / cycles[v, 1]
			if (gain > most) most = gain
		}
		return most
	}'
claim tests "Sorted data: block mapping gains at R = 32, not at R <= 8" "below 1,024 words" "" "$sorted_block"'
	END {
		low = greatest(2)
		if (greatest(4) > low) low = greatest(4)
		if (greatest(8) > low) low = greatest(8)
		printf "at most %.0f %% up to 8; %.0f %% at 32\n", low, greatest(32)
		verdict(low < 5 && greatest(32) > 20)
	}' patterns.csv
claim tests "... and not at R = 16" "below 5 %" \
	"at R = 16 two neighbouring lanes share a copy, so no word gets more than two of a run" "$sorted_block"'
	END { printf "up to %.0f %%\n", greatest(16); verdict(greatest(16) < 5) }' patterns.csv

padded_block='
	$1 == "sorted" && $2 == "block" && $4 < 1024 { cycles[$4, $5, $3] = $7 }
	# What padding changes at most, in per cent.
	function changed(r,   v, most) {
		for (v = 32; v < 1024; v *= 2)
			if (off(cycles[v, r, 1], cycles[v, r, 0]) > most) most = off(cycles[v, r, 1], cycles[v, r, 0])
		return most
	}'
claim tests "Sorted data: padding of block mapping is negligible" "within 10 % up to R = 16, below 1,024 words" "" "$padded_block"'
	END {
		for (r = 2; r <= 16; r *= 2) if (changed(r) > most) most = changed(r)
		printf "within %.1f %%\n", most
		verdict(most <= 10)
	}' patterns.csv
shown "... at R = 32, a copy a lane" "not stated" "equal words of neighbouring copies share a bank, which padding parts" "$padded_block"'
	END { printf "up to %.0f %% faster\n", changed(32) }' patterns.csv

claim tests "The lock degree falls up to V = 1,024 words and then stays" "R = 1, random" "" '
	$1 == "random" && $2 == "cyclic" && $3 == 0 && $5 == 1 { degree[$4] = $11 }
	END {
		for (v = 64; v <= 1024; v *= 2) if (degree[v] >= degree[v / 2]) bad = 1
		if (off(degree[4096], degree[1024]) > 3) bad = 1
		printf "%.2f at 32, %.2f at 1,024, %.2f at 4,096 words\n", degree[32], degree[1024], degree[4096]
		verdict(!bad)
	}' patterns.csv

claim tests "... and so does the latency (Fig 5)" "R = 1, random" "" '
	$1 == "random" && $2 == "cyclic" && $3 == 0 && $5 == 1 { cycles[$4] = $7 }
	END {
		for (v = 64; v <= 1024; v *= 2) if (cycles[v] >= cycles[v / 2]) bad = 1
		if (off(cycles[4096], cycles[1024]) > 3) bad = 1
		printf "%.0f at 32, %.0f at 1,024, %.0f at 4,096 words\n", cycles[32], cycles[1024], cycles[4096]
		verdict(!bad)
	}' patterns.csv

shown "The degrees of lock and bank conflicts (Fig 5; with the largest R: Fig 6)" "numbers on its columns" \
	"the texts at hand have lost the figures' numbers" '
	$1 == "random" && $2 == "cyclic" && $3 == 0 { lock[$4, $5] = $11; bank[$4, $5] = $12 }
	function list(r,   v, text) {
		for (v = 32; v <= 4096; v *= 2) text = text sprintf("%s%.2f and %.2f", v > 32 ? "; " : "", lock[v, r], bank[v, r])
		return text
	}
	END { print "V = 32 to 4,096: " list(1) ". R = 32: " list(32) }' patterns.csv

claim tests "Most of the conflicts' latency is lock conflicts" "R = 1, random, every V" \
	"true up to V = 128; above, Algorithm 1 itself charges uniform words more for banks" '
	$1 == "random" && $2 == "cyclic" && $3 == 0 && $5 == 1 {
		text = text sprintf("%s%.0f", n++ ? ", " : "", 100 * $9 / ($9 + $10))
		if ($9 < $10) bad = 1
	}
	END { print text " % for V = 32 to 4,096"; verdict(!bad) }' patterns.csv

# SPDX-License-Identifier: MIT
# The update step of k-means under spin locks on a GTX 1080, against the rival KMCUDA. No time of the paper was used to
# choose a constant. claims.sh reads this. The awk programs stand in single quotes.
# shellcheck shell=bash disable=SC2016

gpu "GeForce GTX 1080"

times='NR > 1 { time[$1, $2, $3, $4, $5] = $7; cycles[$1, $2, $3, $4, $5] = $6; if ($4 == 32) passes[$1, $3] = $8 }
	# Of 5,000 points with 32 coordinates.
	function own(algorithm, k) { return time[algorithm, 5000, k, 32, 0] }
	function gain(algorithm, n, k, changed) {
		return time["kmcuda", n, k, 32, changed] / time[algorithm, n, k, 32, 0]
	}
	# The mean over numbers of clusters, of 5,000 points.
	function mean_gain(algorithm, clusters, changed,   n, k, i, sum) {
		n = split(clusters, k, " ")
		for (i = 1; i <= n; i++) sum += gain(algorithm, 5000, k[i], changed)
		return sum / n
	}'

claim tests "SM-CL is the fastest with few clusters, GM-DL with many" "5,000 points: 2 to 16; 128 to 4,096 clusters" \
	"" "$times"'
	END {
		for (k = 128; k <= 4096; k *= 2) if (own("gm-dl", k) >= own("sm-cl", k) || own("gm-dl", k) >= own("gm-cl", k)) bad = 1
		for (k = 2; k <= 16; k *= 2) if (own("sm-cl", k) >= own("gm-dl", k) || own("sm-cl", k) >= own("gm-cl", k)) bad = 1
		printf "16: %.0f against %.0f us; 2,048: %.0f against %.0f\n", own("sm-cl", 16), own("gm-dl", 16), own("gm-dl", 2048), own("sm-cl", 2048)
		verdict(!bad && own("gm-dl", 4096) > 0 && own("sm-cl", 2) > 0)
	}' gtx1080.csv

claim tests "... they cross between 32 and 512 clusters" "SM-CL ahead at 32, GM-DL at 512" \
	"they cross between 16 and 32: one thread of a block writes all its sums back, each coordinate a trip to the L2, which is over half of SM-CL's time at 32 and nearly all of it at 256; see below. The H200, where all threads did, crosses between 64 and 256 (locks.csv)" "$times"'
	END {
		printf "32: %.0f against %.0f us; 512: %.0f against %.0f\n", own("sm-cl", 32), own("gm-dl", 32), own("sm-cl", 512), own("gm-dl", 512)
		verdict(own("sm-cl", 32) < own("gm-dl", 32) && own("gm-dl", 512) < own("sm-cl", 512))
	}' gtx1080.csv

claim tests "The same on the H200, measured by us: SM-CL is ahead at 64 clusters, GM-DL at 256" "both so; each time within a factor of 2" "" '
	NR > 1 { measured[$1, $2] = $3; simulated[$1, $2] = $4; if ($4 > 0 && ($4 > 2 * $3 || $3 > 2 * $4)) bad = 1 }
	END {
		printf "64: %.0f against %.0f us; 256: %.0f against %.0f\n", simulated["sm-cl", 64], simulated["gm-dl", 64], simulated["sm-cl", 256], simulated["gm-dl", 256]
		verdict(!bad && simulated["sm-cl", 64] < simulated["gm-dl", 64] && simulated["gm-dl", 256] < simulated["sm-cl", 256] &&
			measured["sm-cl", 64] < measured["gm-dl", 64] && measured["gm-dl", 256] < measured["sm-cl", 256])
	}' gtx1080-h200.csv

claim tests "GM-CL gets faster with every doubling of the clusters" "2 to 2,048" "" "$times"'
	END {
		for (k = 2; k <= 2048; k *= 2) {
			if (k > 2 && own("gm-cl", k) >= own("gm-cl", k / 2)) bad = 1
			text = text sprintf("%s%.0f", k > 2 ? ", " : "", own("gm-cl", k))
		}
		printf "%s us; at 4,096 %.0f\n", text, own("gm-cl", 4096)
		verdict(!bad)
	}' gtx1080.csv

claim tests "GM-CL: ten times the points take more than ten times as long" "over 10 with 512 clusters" "" "$times"'
	END {
		x = time["gm-cl", 50000, 512, 32, 0] / own("gm-cl", 512)
		printf "%.0f times\n", x
		verdict(x > 10)
	}' gtx1080.csv

claim tests "Finer locks: GM-DL beats GM-CL" "64 to 4,096 clusters" "" "$times"'
	END {
		n = split("64 128 256 512 1024 2048 4096", k, " ")
		for (i = 1; i <= n; i++) {
			if (own("gm-dl", k[i]) >= own("gm-cl", k[i])) bad = 1
			text = text sprintf("%s%.1f", i > 1 ? ", " : "", own("gm-cl", k[i]) / own("gm-dl", k[i]))
		}
		print text " times"
		verdict(!bad)
	}' gtx1080.csv

claim tests "SM-CL needs more than one pass over the clusters from 512 on" "1 up to 256, ceil(k / 361)" "" "$times"'
	END {
		printf "%d for 256, %d for 512, %d for 2,048\n", passes["sm-cl", 256], passes["sm-cl", 512], passes["sm-cl", 2048]
		verdict(passes["sm-cl", 256] == 1 && passes["sm-cl", 512] == 2 && passes["sm-cl", 2048] == 6)
	}' gtx1080.csv

claim tests "SM-DL needs more than one pass from 128 on" "1 at 64, 2 at 128" \
	"a sum and a lock a coordinate and a count are 260 bytes a cluster, of which 189 fit; the paper must have had a third word" "$times"'
	END {
		printf "%d at 64, %d at 128\n", passes["sm-dl", 64], passes["sm-dl", 128]
		verdict(passes["sm-dl", 64] == 1 && passes["sm-dl", 128] == 2)
	}' gtx1080.csv

claim tests "GM-DT: a step where block 41 and block 81 must wait" "over 20 % at 1,312 and 2,624 clusters" "" "$times"'
	function dt(k) { return cycles["gm-dt", 500, k, 32, 0] }
	END {
		printf "%d to %d, %d to %d cycles\n", dt(1280), dt(1312), dt(2560), dt(2624)
		verdict(dt(1312) > 1.2 * dt(1280) && dt(2624) > 1.2 * dt(2560))
	}' gtx1080.csv

claim tests "KMCUDA: ten times the points take more than ten times as long" "over 10 with 32 clusters" "" "$times"'
	END { x = time["kmcuda", 50000, 32, 32, 0] / time["kmcuda", 5000, 32, 32, 0]; printf "%.2f times\n", x; verdict(x > 10) }
	' gtx1080.csv

claim tests "KMCUDA: flat to 2,048 clusters" "within 15 %" "" "$times"'
	END { x = own("kmcuda", 2048) / own("kmcuda", 32); printf "%.2f times from 32 to 2,048\n", x; verdict(off(x, 1) <= 15) }
	' gtx1080.csv

claim tests "KMCUDA: rises suddenly beyond 8,192 clusters; the paper's reason: assignments no longer fit in shared memory" "over 1.2 times at 16,384" "" "$times"'
	END { x = own("kmcuda", 16384) / own("kmcuda", 8192); printf "%.2f times\n", x; verdict(x > 1.2) }
	' gtx1080.csv

claim tests "... as waves of blocks, 40 being resident, would have it (derived, not in the paper)" "2 and 4 times at 16,384 and 32,768, within 20 %" "waves of blocks are not all: 8,192 clusters fill 32 of the 40 places, and their sums fit in the L2, which those of more do not. From 10,240 on, where all places are full, it is waves" "$times"'
	END {
		x = own("kmcuda", 16384) / own("kmcuda", 8192); y = own("kmcuda", 32768) / own("kmcuda", 8192)
		printf "%.2f and %.2f\n", x, y
		verdict(off(x, 2) <= 20 && off(y, 4) <= 20)
	}' gtx1080.csv

claim tests "Coordinates: SM-CL is ahead for few, GM-DL for many" "32 clusters: 16; 128 and 1,024 coordinates" "" "$times"'
	END {
		a = time["sm-cl", 5000, 32, 16, 0]; b = time["gm-dl", 5000, 32, 16, 0]
		c = time["sm-cl", 5000, 32, 128, 0]; d = time["gm-dl", 5000, 32, 128, 0]
		e = time["sm-cl", 5000, 32, 1024, 0]; f = time["gm-dl", 5000, 32, 1024, 0]
		printf "16: %.0f against %.0f us; 128: %.0f against %.0f; 1,024: %.0f against %.0f\n", a, b, c, d, e, f
		verdict(a < b && d < c && 0 < f && f < e)
	}' gtx1080.csv

claim tests "... with 2,048 clusters GM-DL is the fastest" "16 coordinates" "" "$times"'
	END {
		a = time["gm-dl", 5000, 2048, 16, 0]; b = time["gm-cl", 5000, 2048, 16, 0]; c = time["sm-cl", 5000, 2048, 16, 0]
		printf "%.0f against %.0f and %.0f us\n", a, b, c
		verdict(a < b && a < c)
	}' gtx1080.csv

claim tests "Headline: GM-DL against KMCUDA, 50,000 points, 32,768 clusters" "74.8 times, within a factor of 2" "" "$times"'
	END { x = gain("gm-dl", 50000, 32768, 0); printf "%.1f times\n", x; verdict(x > 74.8 / 2 && x < 74.8 * 2) }' gtx1080.csv

claim tests "GM-DL, 5,000 points, 2,048 clusters" "14.1 times, within a factor of 2" \
	"GM-DL takes half of what it should against the rival; what the paper's GPU spends more there is not known" "$times"'
	END { x = gain("gm-dl", 5000, 2048, 0); printf "%.1f times\n", x; verdict(x > 14.1 / 2 && x < 14.1 * 2) }' gtx1080.csv

claim tests "GM-CL, 5,000 points, 512 clusters" "4.2 times, within a factor of 2" "" "$times"'
	END { x = gain("gm-cl", 5000, 512, 0); printf "%.1f times\n", x; verdict(x > 4.2 / 2 && x < 4.2 * 2) }' gtx1080.csv

changed_reason="no point has changed its cluster here, the least that the rival can have to do, and one thread of a block writes all its sums back; see below"
claim tests "Headline: SM-CL against KMCUDA, 50,000 points, 32 clusters" "25.5 times, within a factor of 2" "$changed_reason" "$times"'
	END { x = gain("sm-cl", 50000, 32, 0); printf "%.1f times\n", x; verdict(x > 25.5 / 2 && x < 25.5 * 2) }' gtx1080.csv

claim tests "SM-CL, 5,000 points, 32 clusters" "12 times, within a factor of 2" "$changed_reason" "$times"'
	END { x = gain("sm-cl", 5000, 32, 0); printf "%.1f times\n", x; verdict(x > 12 / 2 && x < 12 * 2) }' gtx1080.csv

claim tests "SM-DL is faster than KMCUDA with 4 to 32 clusters" "over 1 at 4, 8, 16 and 32" \
	"every coordinate has a lock and a trip to the L2 by the one thread that writes a block's sums back, and no point has changed its cluster; with a tenth it is ahead, see below" "$times"'
	END {
		for (k = 4; k <= 32; k *= 2) {
			if (gain("sm-dl", 5000, k, 0) <= 1) bad = 1
			text = text sprintf("%s%.2f", k > 4 ? ", " : "", gain("sm-dl", 5000, k, 0))
		}
		print text " times"
		verdict(!bad)
	}' gtx1080.csv

claim tests "... and slower with 64 and 128" "under 1" "" "$times"'
	END {
		x = gain("sm-dl", 5000, 64, 0); y = gain("sm-dl", 5000, 128, 0)
		printf "%.2f and %.2f times\n", x, y
		verdict(x < 1 && y < 1)
	}' gtx1080.csv

claim tests "... at most, 5,000 points" "2.2 times, within a factor of 2" "" "$times"'
	END {
		for (k = 2; k <= 128; k *= 2) if (gain("sm-dl", 5000, k, 0) > most) { most = gain("sm-dl", 5000, k, 0); at = k }
		printf "%.1f times, at %d\n", most, at
		verdict(most > 2.2 / 2 && most < 2.2 * 2)
	}' gtx1080.csv

averages="the rival's work depends on the share of points that change their cluster, which is not published; none has here. With a tenth this average is within a factor of 1.5, and GM-CL's 1.6 times too high, see below"
claim tests "Mean gain over KMCUDA, 5,000 points: GM-CL, 64 to 4,096 clusters" "3.1 times, within a factor of 1.5" "" "$times"'
	END { x = mean_gain("gm-cl", "64 128 256 512 1024 2048 4096", 0); printf "%.1f times\n", x; verdict(x > 3.1 / 1.5 && x < 3.1 * 1.5) }' gtx1080.csv

claim tests "... SM-CL, 8 to 256" "8.4 times, within a factor of 1.5" "$averages" "$times"'
	END { x = mean_gain("sm-cl", "8 16 32 64 128 256", 0); printf "%.1f times\n", x; verdict(x > 8.4 / 1.5 && x < 8.4 * 1.5) }' gtx1080.csv

claim tests "... GM-DL, 64 to 4,096" "8.1 times, within a factor of 1.5" \
	"GM-DL is 2.6x faster than it should be against the rival, more if points change; what its time consists of is shown below" "$times"'
	END { x = mean_gain("gm-dl", "64 128 256 512 1024 2048 4096", 0); printf "%.1f times\n", x; verdict(x > 8.1 / 1.5 && x < 8.1 * 1.5) }' gtx1080.csv

every="2 4 8 16 32 64 128 256 512 1024 2048 4096"
claim tests "... all, 2 to 4,096: GM-CL" "1.9 times, within a factor of 1.5" "" "$times"'
	END { x = mean_gain("gm-cl", "'"$every"'", 0); printf "%.2f times\n", x; verdict(x > 1.9 / 1.5 && x < 1.9 * 1.5) }' gtx1080.csv
claim tests "... SM-CL" "5.2 times, within a factor of 1.5" "as from 8 to 256; with a tenth it is shown below" "$times"'
	END { x = mean_gain("sm-cl", "'"$every"'", 0); printf "%.2f times\n", x; verdict(x > 5.2 / 1.5 && x < 5.2 * 1.5) }' gtx1080.csv
claim tests "... GM-DL" "6.1 times, within a factor of 1.5" "as from 64 on" "$times"'
	END { x = mean_gain("gm-dl", "'"$every"'", 0); printf "%.1f times\n", x; verdict(x > 6.1 / 1.5 && x < 6.1 * 1.5) }' gtx1080.csv
claim tests "... SM-DL" "under 1" "" "$times"'
	END {
		x = (mean_gain("sm-dl", "2 4 8 16 32 64 128", 0) * 7 + gain("sm-dl", 5000, 128, 0) * 5) / 12
		printf "at most %.2f times: from 256 on, not run, as at 128\n", x
		verdict(x > 0 && x < 1)
	}' gtx1080.csv
shown "... GM-CL, SM-CL, GM-DL, if a tenth of the points changed their cluster" "1.9, 5.2, 6.1" "the share is not published" "$times"'
	END { printf "%.1f, %.1f, %.1f times\n", mean_gain("gm-cl", "'"$every"'", 10), mean_gain("sm-cl", "'"$every"'", 10), mean_gain("gm-dl", "'"$every"'", 10) }' gtx1080.csv

shown "From 64 or 8 clusters on, if a tenth of the points changed their cluster: GM-CL, SM-CL, SM-DL at 32 and 64, GM-DL" "3.1, 8.4, over 1, 8.1" \
	"the share is not published; a tenth is an example: nearer for SM-CL and SM-DL, farther for GM-CL and GM-DL" "$times"'
	END {
		printf "%.1f, %.1f, %.2f and %.2f, %.1f times\n", mean_gain("gm-cl", "64 128 256 512 1024 2048 4096", 10),
			mean_gain("sm-cl", "8 16 32 64 128 256", 10), gain("sm-dl", 5000, 32, 10), gain("sm-dl", 5000, 64, 10),
			mean_gain("gm-dl", "64 128 256 512 1024 2048 4096", 10)
	}' gtx1080.csv

shown "GM-DL with 2,048 clusters: where its time goes" "14.1 times KMCUDA's speed: 38 us against a rival of 540" \
	"no single part of it, doubled, makes 38 us; the lock loop's own cycles and what a launch costs are assumed, shared atomics, fences and the L2's atomics an H200's" '
	NR > 1 { cycles[$1] = $2 }
	function us(x) { return x / 1733 }
	END {
		printf "%.1f us: launches %.1f, the other kernel %.1f, the update %.1f, which locks that cost nothing would make %.1f, loads and atomics at once %.1f, enough bandwidth %.1f, all of it %.1f\n",
			us(cycles["both kernels"]) + cycles["launches in us"], cycles["launches in us"], us(cycles["both kernels"] - cycles["update"]),
			us(cycles["update"]), us(cycles["without spin_locks"]), us(cycles["without global_latency"]), us(cycles["without global_bandwidth"]), us(cycles["without all"])
	}' gtx1080-gm-dl.csv

claim tests "SM-CL loses its lead where its clusters fill shared memory" "slower than KMCUDA from 512 on" "" "$times"'
	END {
		x = gain("sm-cl", 5000, 512, 0); y = gain("sm-cl", 5000, 2048, 0)
		printf "%.2f and %.2f times at 512 and 2,048\n", x, y
		verdict(x < 1 && y < 1)
	}' gtx1080.csv

claim tests "Fig 5b, 256 clusters of 2,048 coordinates: GM-CL beats SM-CL" "faster" "" "$times"'
	END {
		a = time["gm-cl", 5000, 256, 2048, 0]; b = time["sm-cl", 5000, 256, 2048, 0]
		printf "%.1f against %.1f ms\n", a / 1000, b / 1000
		verdict(a > 0 && a < b)
	}' gtx1080.csv

for algorithm in GM-DT SM-DT; do
	of="\"$(tr '[:upper:]' '[:lower:]' <<<$algorithm)\""
	claim tests "$algorithm beats KMCUDA while all its blocks are resident" "over 1 at 32 and 512" "" "$times"'
		END {
			x = gain('"$of"', 5000, 32, 0); y = gain('"$of"', 5000, 512, 0)
			printf "%.2f and %.2f times\n", x, y
			verdict(x > 1 && y > 1)
		}' gtx1080.csv

	claim tests "... and not with more" "under 1 at 2,048 and 4,096" "" "$times"'
		END {
			x = gain('"$of"', 5000, 2048, 0); y = gain('"$of"', 5000, 4096, 0)
			printf "%.2f and %.2f times\n", x, y
			verdict(x > 0 && x < 1 && y > 0 && y < 1)
		}' gtx1080.csv
done

shown "SM-CL, 32 clusters, if a tenth of the points changed theirs" "25.5 times for 50,000 points, 12 for 5,000" \
	"the share is not published; a tenth is an example" "$times"'
	END { printf "%.1f and %.1f times\n", gain("sm-cl", 50000, 32, 10), gain("sm-cl", 5000, 32, 10) }' gtx1080.csv

shown "SM-CL, 32 clusters, if all threads of a block write its sums back" "25.5 times for 50,000 points, 12 for 5,000" \
	"the paper has one thread do it; how is not published" "$times"'
	function all(n) { return time["kmcuda", n, 32, 32, 0] / time["sm-cl-all", n, 32, 32, 0] }
	END { printf "%.1f and %.1f times\n", all(50000), all(5000) }' gtx1080.csv

claim tests "A thread a cluster never pays: GM-CT, SM-CT" "slower than KMCUDA" "" "$times"'
	END {
		a = gain("gm-ct", 5000, 32, 0); b = gain("gm-ct", 5000, 512, 0); c = gain("sm-ct", 5000, 32, 0); d = gain("sm-ct", 5000, 512, 0)
		printf "%.2f and %.2f, %.2f and %.2f times at 32 and 512 clusters\n", a, b, c, d
		verdict(a < 1 && b < 1 && c < 1 && d < 1)
	}' gtx1080.csv

claim tests "GM-DL is slower than KMCUDA with few clusters, faster from 64 on" "5,000 points: 2 to 16; 64 to 4,096" \
	"at 16 it is still ahead of a rival whose points have not changed, and loses with every halving of the clusters" "$times"'
	END {
		n = split("64 128 256 512 1024 2048 4096", k, " ")
		for (i = 1; i <= n; i++) if (gain("gm-dl", 5000, k[i], 0) <= 1) bad = 1
		for (i = 2; i <= 16; i *= 2) {
			if (gain("gm-dl", 5000, i, 0) >= 1) bad = 1
			text = text sprintf("%.2f, ", gain("gm-dl", 5000, i, 0))
		}
		printf "%s%.1f times at 64\n", text, gain("gm-dl", 5000, 64, 0)
		verdict(!bad)
	}' gtx1080.csv

shown "Where SM-CL and GM-DL cross, if all threads of a block write its sums back" "between 32 and 512 clusters" \
	"the paper has one thread do it; how is not published" "$times"'
	function all(k) { return time["sm-cl-all", 5000, k, 32, 0] }
	END {
		n = split("16 32 64 128 256", k, " ")
		for (i = 1; i <= n; i++)
			text = text sprintf("%s%d: %.0f against %.0f us", i > 1 ? "; " : "", k[i], all(k[i]), own("gm-dl", k[i]))
		print text
	}' gtx1080.csv

shown "KMCUDA, times of what 10,240 clusters take, which are one whole wave" "2 and 4 at 20,480 and 40,960, by waves alone" \
	"that many were not run in the paper" "$times"'
	END { printf "%.2f at 16,384, %.2f at 32,768\n", own("kmcuda", 16384) / own("kmcuda", 10240), own("kmcuda", 32768) / own("kmcuda", 10240) }' gtx1080.csv

shown "What the headlines are made of" "74.8 and 25.5" \
	"a thread of each of KMCUDA's blocks copies the assignments point by point while the other 255 wait" "$times"'
	END { printf "the rival takes %.0f cycles a point\n", cycles["kmcuda", 50000, 32, 32, 0] / 50000 }' gtx1080.csv

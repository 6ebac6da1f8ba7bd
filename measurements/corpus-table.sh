#!/bin/bash
# SPDX-License-Identifier: MIT
# What a table of corpus.sh says of some of its thirds, as rows of tables: how many launches could be captured, how far off
# instructions, conflict passes and busy cycles are, and how many launches are within what reports say of their error.
#
#   corpus-table.sh [-l PERCENT] TABLE THIRD...
#
# With -l each launch is named, too, whose cycles are off by more than that.
set -e -o pipefail
export LC_ALL=C

usage="corpus-table.sh [-l PERCENT] TABLE THIRD..."
list=
while getopts l: option; do
	case $option in
	l) list=$OPTARG ;;
	*) echo "$usage" >&2 && exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || { echo "$usage" >&2 && exit 2; }
table=$1
shift

# launches: of the thirds, sorted by the size of the error of the busy cycles, behind which are that error with its sign and the one
# of the elapsed cycles; of launches that were not replayed they are empty
launches() {
	awk -F, -v OFS=, -v thirds=" $* " '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		index(thirds, " " $at["third"] " ") {
			error = size = elapsed = ""
			if ($at["busy_cycles"] != "" && $at["cycles_active"] > 0) {
				error = $at["busy_cycles"] / $at["cycles_active"] - 1
				size = error < 0 ? -error : error
				if ($at["cycles_elapsed"] > 0)
					elapsed = $at["simulated_elapsed"] / $at["cycles_elapsed"] - 1
			}
			print $at["program"], $at["suite"], $at["kernel"], $at["launch"], $at["instructions"], $at["simulated_instructions"],
				$at["shared_conflicts"], $at["conflict_passes"], $at["class"], $at["expected_median"], $at["expected_p90"],
				$at["outcome"], $at["cycles_active"], size, error, elapsed
		}' "$table" | sort -t, -k14,14g
}

launches "$@" | awk -F, -v list="$list" '
	function percent(x) { return sprintf(x < 0.0995 ? "%.1f" : "%.0f", 100 * x) " %" }
	# The errors of KEY, which come in order
	function cycles(key, label,   m, n, i, sum, near) {
		n = number[key]
		if (n == 0)
			return
		for (i = 1; i <= n; i++) {
			sum += error[key, i]
			near += error[key, i] <= 0.1
		}
		m = (error[key, int((n + 1) / 2)] + error[key, int(n / 2) + 1]) / 2
		printf "| %s | %d | %s | %s | %s | %s | %d | %d |\n", label, n, percent(m), percent(sum / n),
			percent(error[key, int((9 * n + 9) / 10)]), percent(error[key, n]), near, fast[key]
	}
	function sort(list, n,   i, j, swap) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
				swap = list[j]
				list[j] = list[j - 1]
				list[j - 1] = swap
			}
	}
	function add(key) {
		error[key, ++number[key]] = $14
		fast[key] += $15 < 0
	}
	!($1 in seen) { seen[$1] = 1; programs++ }
	$12 == "too large" { large++; next }
	$12 ~ /^not c/ { not_tried++; next }
	{ tried++ }
	$12 == "captured" { not_replayed++; next }
	$12 != "replayed" {
		# Alike but for their numbers
		gsub(/[0-9]+/, "N", $12)
		what[$12]++
	}
	$12 ~ /^capture:/ { n_failed++; next }
	$12 ~ /^gaps/ { n_gaps++ }
	$12 ~ /^replay:/ { n_stopped++; next }
	$14 == "" { next }
	{
		add("all")
		late[++n_late] = $16 < 0 ? -$16 : +$16
		add("suite " $2)
		add($4 == 1 ? "first" : "later")
		class = $9 == "" ? "no class" : $9
		gsub(/;/, ",", class)
		add("class " class)
		classes[class] = 1
		suites[$2] = 1
		of = $5 > 0 ? $6 / $5 - 1 : 0
		of = of < 0 ? -of : of
		instructions++
		exact += $5 == $6
		near += of <= 0.01
		if ($7 > 0) {
			conflicts++
			conflicts_exact += $7 == $8
			off = $8 / $7 - 1
			conflicts_near += off <= 0.01 && off >= -0.01
			conflicts_none += $8 == 0
		} else if ($8 > 0)
			conflicts_more++
		if ($11 != "") {
			covered++
			within += $14 <= $11
			below += $14 <= $10
		}
		if (list != "" && $14 > list / 100)
			worst[++n_worst] = sprintf("| %s %s %s | %s | %d | %+.0f %% | %+.1f %% | %s |", $1, $3, $4, class, $13, 100 * $15,
				$5 > 0 ? 100 * ($6 / $5 - 1) : 0, $12)
	}
	END {
		printf "%d programs, %d launches to capture (%d more not tried or not counted, %d too large)\n", programs, tried, not_tried, large
		printf "captured: %d, of them with gaps %d; not captured: %d; replays that failed: %d, not made: %d\n", tried - n_failed,
			n_gaps, n_failed, n_stopped, not_replayed
		for (said in what) messages[++n_messages] = said
		sort(messages, n_messages)
		for (i = 1; i <= n_messages; i++) printf "  %d %s\n", what[messages[i]], messages[i]
		printf "instructions: %d of %d exactly, %d within 1 %%\n", exact, instructions, near
		printf "conflict passes: of %d launches that have any %d exactly, %d within 1 %%, %d have none in the simulation; %d have some in the simulation alone\n",
			conflicts, conflicts_exact, conflicts_near, conflicts_none, conflicts_more
		printf "expected error: of %d launches %d within the median, %d within the 90th percentile\n", covered, below, within
		sort(late, n_late)
		for (i = 1; i <= n_late; i++) sum += late[i]
		if (n_late > 0)
			printf "elapsed cycles: %s off at the median, %s in the mean, %s at the 90th percentile\n",
				percent((late[int((n_late + 1) / 2)] + late[int(n_late / 2) + 1]) / 2), percent(sum / n_late),
				percent(late[int((9 * n_late + 9) / 10)])
		print "\n| busy cycles | launches | median | mean | 90th percentile | maximum | within 10 % | too fast |"
		print "| --- | --- | --- | --- | --- | --- | --- | --- |"
		cycles("all", "all")
		cycles("first", "a kernel\47s first launch")
		cycles("later", "a later one")
		n = 0
		for (class in classes) sorted[++n] = "class " class
		for (suite in suites) sorted[++n] = "suite " suite
		sort(sorted, n)
		for (i = 1; i <= n; i++) cycles(sorted[i], substr(sorted[i], 7))
		if (n_worst) {
			print "\n| launch | class | cycles | off by | instructions | outcome |\n| --- | --- | --- | --- | --- | --- |"
			for (i = n_worst; i >= 1; i--) print worst[i]
		}
	}'

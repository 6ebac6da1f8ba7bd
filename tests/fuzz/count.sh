#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs fuzz targets and counts: so many seconds or inputs of each, in a build configured with --enable-fuzzing.
#
#   BUILD=FOLDER SOURCE=FOLDER tests/fuzz/count.sh [-s SECONDS | -n INPUTS] [-m] [-j JOBS] [-o FOLDER] [TARGET]...
#
#   -s  seconds of processor time that each target has had in all (default 60)
#   -n  instead: inputs that each has had in all
#   -m  so many more than it has had
#   -j  targets that run at a time (default 1)
#   -o  where it keeps corpora, inputs that failed and counts (default BUILD/fuzz). Counts belong to a build: another one needs
#       another folder, or numbers of edges are not those of one program
#
# FUZZ_SEED=N draws the same inputs each time; else others.
#
# What a folder has is taken as done, so that a count that was ended goes on with the same command: what is lost is the
# slice that was under way, but for the inputs that it had found. At the end it prints a table (CSV) of all that was
# counted: new inputs (not those that begin a slice), processor time, inputs a second, edges and features reached, and what of them came in
# the last tenth of the inputs. A target in which an input fails stops; the others go on, and the exit status is 1.
set -u
export LC_ALL=C
# Targets that need files take them from memory: what is made whole on a disk waits for it, at some 20 ms.
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm
seconds=60 inputs='' more='' jobs=1 out='' slice=${FUZZ_SLICE:-600} # seconds
: "${BUILD:=.}" "${SOURCE:=.}"
while getopts s:n:mj:o: option; do
	case $option in
	s) seconds=$OPTARG ;;
	n) inputs=$OPTARG ;;
	m) more=yes ;;
	j) jobs=$OPTARG ;;
	o) out=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
out=${out:-$BUILD/fuzz}

# What a target needs beside what all have. Entropic scheduling takes half of the time where an input has thousands of
# features; configs that are kept are not leaks. A loop of a capture is calculated for a million steps between two events.
options_of() {
	case $1 in
	folder) echo "-timeout=600 -rss_limit_mb=3072" ;;
	runs | pages) echo "-entropic=0 -detect_leaks=0 -max_len=6000 -rss_limit_mb=2048" ;;
	reports) echo "-max_len=6000 -rss_limit_mb=1024" ;;
	*) echo "-rss_limit_mb=1024" ;;
	esac
}

# done_of FOLDER: inputs and processor seconds so far. `counts` has a line a slice: inputs, seconds.
done_of() {
	awk '{n += $1; s += $2} END {printf "%d %.1f\n", n, s}' "$1/counts"
}

# read_log FOLDER SECONDS: the slice's inputs behind those that it began with, and what had been reached when: lines of
# `series` are inputs of all slices, edges, features.
read_log() {
	local before
	read -r before _ <<<"$(done_of "$1")"
	awk -v before="$before" -v folder="$1" -v seconds="$2" '
		/^#[0-9]+/ && /cov: / {
			n = substr($1, 2) + 0
			for (i = 2; i < NF; i++) {
				if ($i == "cov:") edges = $(i + 1)
				if ($i == "ft:") features = $(i + 1)
			}
			if ($2 == "INITED") begin = n
			if (begin != "") print before + n - begin, edges, features >>(folder "/series")
			last = n
		}
		/^stat::number_of_executed_units:/ { last = $2 + 0 }
		END {
			if (begin == "") begin = last
			print last - begin, seconds >>(folder "/counts")
		}' "$1/log"
}

# One slice of a target: to its end, or for $slice seconds.
run_slice() {
	local name=$1 folder=$out/$1 left_s=$2 left_n=$3 limit time
	local -a arguments
	read -r -a arguments <<<"$(options_of "$name")"
	limit=$((left_s < slice ? left_s : slice))
	[ -z "$left_n" ] || # those that a slice begins with count there, too
		arguments+=("-runs=$((left_n + $(find "$folder/corpus" "$SOURCE/tests/fuzz/corpus-$name" -type f | wc -l) + 1))")
	TIMEFORMAT='%U %S'
	time=$({ time "$BUILD/tests/fuzz/fuzz-$name" -max_total_time="$limit" -timeout="${FUZZ_TIMEOUT:-10}" -seed="${FUZZ_SEED:-0}" -print_final_stats=1 \
		"${arguments[@]}" -artifact_prefix="$folder/" "$folder/corpus" "$SOURCE/tests/fuzz/corpus-$name" \
		>"$folder/log" 2>&1; } 2>&1; echo "$?")
	read_log "$folder" "$(tail -n 2 <<<"$time" | awk 'NR == 1 {printf "%.2f", $1 + $2}')"
	[ "$(tail -n 1 <<<"$time")" -eq 0 ]
}

count_target() {
	local name=$1 folder=$out/$1 n s left_n=''
	mkdir -p "$folder/corpus"
	touch "$folder/counts" "$folder/series"
	if [ -n "$more" ]; then
		read -r n s <<<"$(done_of "$folder")"
		seconds=$((seconds + ${s%.*}))
		inputs=${inputs:+$((inputs + n))}
	fi
	while true; do
		read -r n s <<<"$(done_of "$folder")"
		if [ -n "$inputs" ]; then
			left_n=$((inputs - n))
			[ "$left_n" -gt 0 ] || return 0
			run_slice "$name" "$slice" "$left_n" || break
		else
			[ "${s%.*}" -lt "$seconds" ] || return 0
			run_slice "$name" $((seconds - ${s%.*})) '' || break
		fi
	done
	echo "fuzz-$name has an input that fails: $folder/log" >&2
	grep -E 'ERROR|SUMMARY|a law is broken|Test unit written' "$folder/log" >&2
	return 1
}

print_table() {
	local name
	echo "target,inputs,cpu_seconds,inputs_per_second,edges,features,new_edges_last_tenth,new_features_last_tenth,failures"
	for name; do
		awk -v name="$name" -v counts="$(done_of "$out/$name")" \
			-v failures="$(find "$out/$name" -maxdepth 1 -type f -name '*-*' | wc -l)" '
			BEGIN { split(counts, all, " ") }
			{
				edges = $2 > edges ? $2 : edges
				features = $3 > features ? $3 : features
				if ($1 <= all[1] * 0.9) {
					old_edges = edges
					old_features = features
				}
			}
			END {
				rate = all[2] > 0 ? all[1] / all[2] : 0
				printf "%s,%d,%.1f,%.0f,%d,%d,%d,%d,%d\n", name, all[1], all[2], rate, edges, features,
					edges - old_edges, features - old_features, failures
			}' "$out/$name/series"
	done
}

if [ $# -eq 0 ]; then
	for program in "$BUILD"/tests/fuzz/fuzz-*; do
		[ ! -x "$program" ] || set -- "$@" "${program##*/fuzz-}"
	done
fi
status=0
for name; do
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
		wait -n || status=1
	done
	count_target "$name" &
done
for job in $(jobs -p); do
	wait "$job" || status=1
done
print_table "$@"
exit $status

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Counts, captures and replays programs of others, and says how far off the model is, a row a launch.
#
#   corpus.sh [OPTION]... LIST FOLDER STAGE...
#
#   count    each program under Nsight Compute (ncu), alone on the GPU, which is left at its own clock: FOLDER/launches.csv
#   capture  the launches chosen: FOLDER/traces/PROGRAM-KERNEL-LAUNCH.bin and FOLDER/captured.csv
#   replay   the traces that are there: FOLDER/replayed.csv. Wants no GPU
#   table    of all of these, on stdout: a row a launch
#
#   -j JOBS      captures or replays at the same time (1)
#   -c CONFIG    the machine that is simulated (h200.json)
#   -r NAME      replays go to FOLDER/NAME and FOLDER/NAME.csv (replayed): another one for another model
#   -s SECONDS   for one program, capture or replay at most (60)
#   -e SECONDS   after these nothing more is begun, and what there is becomes the tables (no end)
#   -l NUMBER    load/store instructions of warps that a launch has at most (160000, 5 million lanes), and a fiftieth of all its
#                instructions; one with more is too large
#
# A line of LIST is
#
#   name|suite|version|licence|folder|kernels|launches|command
#
# with the folder, as LIST's own sees it, in which the command runs; the kernels that count, a regular expression for mangled names
# (empty: all); and how many launches are chosen at most. A '#' begins a comment. Chosen are kernels by their time: of each the second
# launch, or its only one, then of each the first. What a stage has done it leaves alone when it is called again; what failed too
# (remove its file in FOLDER/counted, captured or replayed to have it tried again).
#
# For example: reduce|mine|1.0|MIT|build|sum_|4|./reduce 65536
#
# The third that a program belongs to is the sha256 of its name modulo 3. ATOMSIM is the program.
set -e -o pipefail
export LC_ALL=C ATOMSIM=${ATOMSIM-atomsim}
case $ATOMSIM in */*) ATOMSIM=$(realpath "$ATOMSIM") ;; esac # captures run in other folders

fail() {
	echo "corpus.sh: $*" >&2
	exit 2
}

jobs=1
export config=h200.json replays=replayed seconds=60 end=0 most=160000
while getopts j:c:r:s:e:l: option; do
	case $option in
	j) jobs=$OPTARG ;;
	c) config=$OPTARG ;;
	r) replays=$OPTARG ;;
	s) seconds=$OPTARG ;;
	e) end=$((EPOCHSECONDS + OPTARG)) ;;
	l) most=$OPTARG ;;
	*) fail "corpus.sh [OPTION]... LIST FOLDER STAGE..." ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 3 ] || fail "LIST, FOLDER and at least one of count, capture, replay, table are wanted"
[ -r "$1" ] || fail "cannot read the list '$1'"
list=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
export list folder
shift 2
metrics=sm__cycles_active.max,sm__cycles_elapsed.max,gpu__time_duration.sum,smsp__inst_executed.sum,smsp__inst_executed_pipe_lsu.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
export metrics

# The programs' lines, without comments
programs() {
	grep -v -e '^#' -e '^$' "$list"
}

third() {
	local sum
	sum=$(printf '%s' "$1" | sha256sum)
	# Of base 16 a number has the rest that its digits' sum has: 16 is 1 modulo 3.
	awk -v digits="${sum%% *}" 'BEGIN {
		for (i = 1; i <= length(digits); i++)
			sum += index("0123456789abcdef", substr(digits, i, 1)) - 1
		print sum % 3
	}'
}

# is_done FILE: whether it is there, or time is over
is_done() {
	[ -e "$1" ] || { [ "$end" -gt 0 ] && [ "$EPOCHSECONDS" -ge "$end" ]; }
}

# What atomsim said first of what went wrong, without the names of files, or the program's last line, as a CSV's field has it
first_error() {
	{ grep '^atomsim' "$1" | grep -vE 'building the capture library|: launch [0-9]+, .* events$' || tail -n 1 "$1"; } |
		sed -E '1q' | sed -E 's/^atomsim( capture)?: //; s/^\/[^ ]*: //; s/[",\r]/;/g' | cut -c 1-200
}

# hundredths START: seconds since then, which is of date +%s%N
hundredths() {
	awk -v start="$1" -v now="$(date +%s%N)" 'BEGIN { printf "%.2f", (now - start) / 1e9 }'
}

# count LINE: ncu's rows of a program as counted/NAME.csv, what else was printed as counted/NAME.log
count() {
	local name place kernels command
	IFS='|' read -r name _ _ _ place kernels _ command <<<"$1"
	! is_done "$folder/counted/$name.csv" || return 0
	# shellcheck disable=SC2086 # the command is words
	(cd "$(dirname "$list")/$place" && timeout -k 5 "$seconds" ncu --clock-control none --cache-control none --csv --print-units base \
		--print-kernel-base mangled --kernel-name-base mangled ${kernels:+--kernel-name "regex:$kernels"} \
		--launch-count 100 --kill yes --metrics "$metrics" $command) </dev/null >"$folder/counted/$name.log" 2>&1 || true
	grep '^"' "$folder/counted/$name.log" >"$folder/counted/$name.part" || true
	mv "$folder/counted/$name.part" "$folder/counted/$name.csv"
}

# launches LINE: the rows of launches.csv that a program has
launches() {
	local name suite version licence most_launches why
	IFS='|' read -r name suite version licence _ _ most_launches _ <<<"$1"
	why=$(grep -m 1 '^==ERROR==' "$folder/counted/$name.log" | tr ',"' ';;' || true)
	awk -F '","' -v most="$most" -v n_most="$most_launches" -v why="${why:+: $why}" \
		-v program="$name,$suite,$version,$licence,$(third "$name")" '
		function number(id, metric) { return value[id, metric] + 0 }
		function row(id, chosen) {
			printf "%s,%d,%s,%d,%s,%s,%d,%d,%d,%d,%d,%d,%d,%s\n", program, kernel[id], name[kernel[id]], launch[id],
				grid[id], block[id], number(id, "sm__cycles_active.max"), number(id, "sm__cycles_elapsed.max"),
				number(id, "gpu__time_duration.sum"), number(id, "smsp__inst_executed.sum"),
				number(id, "smsp__inst_executed_pipe_lsu.sum"),
				number(id, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"),
				number(id, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"), chosen
		}
		function size(text) { gsub(/[() ]/, "", text); gsub(/,/, "x", text); return text }
		function is_small(id) {
			return id && number(id, "smsp__inst_executed.sum") > 0 &&
				number(id, "smsp__inst_executed_pipe_lsu.sum") <= most &&
				number(id, "smsp__inst_executed.sum") <= 50 * most
		}
		$1 !~ /^"[0-9]+$/ { next }
		$1 != last {
			last = $1
			at[++n] = $1
			if (!($5 in number_of)) {
				number_of[$5] = ++kernels
				name[kernels] = $5
			}
			kernel[$1] = number_of[$5]
			launch[$1] = ++launches_of[kernel[$1]]
			of[kernel[$1], launch[$1]] = $1
			block[$1] = size($8)
			grid[$1] = size($9)
		}
		{
			gsub(/[",]/, "", $15)
			value[$1, $13] = $15
			if ($13 == "gpu__time_duration.sum")
				total[kernel[$1]] += $15
		}
		END {
			for (i = 1; i <= kernels; i++) {
				for (j = i; j > 1 && total[by[j - 1]] < total[i]; j--)
					by[j] = by[j - 1]
				by[j] = i
			}
			for (want = 2; want >= 1; want--)
				for (i = 1; i <= kernels; i++) {
					id = of[by[i], want]
					if (want == 2 && !is_small(id))
						id = of[by[i], 1]
					if (is_small(id) && !(id in chosen) && n_chosen < n_most) {
						chosen[id] = 1
						n_chosen++
					}
				}
			for (i = 1; i <= n; i++)
				if (at[i] in chosen)
					row(at[i], "yes")
				else if (launch[at[i]] == 1 && !is_small(at[i]))
					row(at[i], "too large")
			if (n == 0)
				print program ",,,,,,,,,,,,,not counted" why
		}' "$folder/counted/$name.csv"
}

# capture NAME KERNEL MANGLED LAUNCHES...: the launches of a kernel that are chosen
capture() {
	local name=$1 kernel=$2 mangled=$3 first=$4 last=${*: -1} start status=0 took place command launch out trace outcome
	local part=$folder/captured/$1-$2
	! is_done "$part.csv" || return 0
	IFS='|' read -r _ _ _ _ place _ _ command < <(programs | grep "^$name|")
	rm -rf "$part.part"
	mkdir -p "$part.part"
	start=$(date +%s%N)
	# shellcheck disable=SC2086 # the command is words
	(cd "$(dirname "$list")/$place" && timeout -k 5 "$seconds" "$ATOMSIM" capture --kernel "^${mangled//\$/\\\$}\$" \
		--launch "$first-$last" -o "$part.part/t.bin" -- $command) </dev/null >"$part.log" 2>&1 || status=$?
	took=$(hundredths "$start")
	case $status in
	0) outcome=captured ;;
	124 | 137) outcome="capture: over $seconds s" ;;
	*) outcome="capture: $(first_error "$part.log")" ;;
	esac
	for launch in $(seq "$first" "$last"); do
		out=$folder/traces/$name-$kernel-$launch.bin
		for trace in "$part.part/t.$((launch - first + 1)).bin" "$part.part/t.bin"; do
			[ ! -e "$trace" ] || { mv "$trace" "$out" && break; }
		done
		if [ -e "$out" ] && [ "$status" != 0 ]; then
			echo "$name,$kernel,$launch,$took,gaps in the $outcome"
		elif [ ! -e "$out" ] && [ "$status" = 0 ]; then
			echo "$name,$kernel,$launch,$took,capture: no such launch"
		else
			echo "$name,$kernel,$launch,$took,$outcome"
		fi
	done >"$part.part/rows"
	mv "$part.part/rows" "$part.csv"
	rm -rf "$part.part"
}

# replay NAME: the row of a trace
replay() {
	local start status=0 out=$folder/$replays/$1.csv outcome=replayed
	! is_done "$out" || return 0
	start=$(date +%s%N)
	timeout -k 5 "$seconds" "$ATOMSIM" run --config "$config" --no-baseline --causes=no --reproducible --jobs=1 --format csv \
		"$folder/traces/$1.bin" >"$out.run" 2>"$out.log" || status=$?
	case $status in
	0) ;;
	124 | 137) outcome="replay: over $seconds s" ;;
	*) outcome="replay: $(first_error "$out.log")" ;;
	esac
	awk -F, -v name="$1" -v took="$(hundredths "$start")" -v outcome="$outcome" '
		# A quoted field loses its commas.
		{
			while (match($0, /"[^"]*"/)) {
				field = substr($0, RSTART + 1, RLENGTH - 2)
				gsub(/,/, ";", field)
				$0 = substr($0, 1, RSTART - 1) field substr($0, RSTART + RLENGTH)
			}
		}
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ for (i in column) of[i] = $column[i] }
		END {
			match(name, /-[0-9]+-[0-9]+$/)
			split(substr(name, RSTART + 1), number, "-")
			print substr(name, 1, RSTART - 1) "," number[1] "," number[2] "," of["busy_cycles"] "," of["elapsed_cycles"] "," \
				of["warp_instructions"] "," of["shared.passes"] "," of["shared.conflict_passes"] "," of["records.unknown"] "," \
				of["expected_error.class"] "," of["expected_error.median"] "," of["expected_error.p90"] "," took "," outcome
		}' "$out.run" >"$out.part"
	rm "$out.run"
	mv "$out.part" "$out"
}
export -f is_done programs third first_error hundredths capture replay

stage_count() {
	mkdir -p "$folder/counted"
	programs | while IFS= read -r line; do
		count "$line"
	done
	{
		echo "program,suite,version,licence,third,kernel,name,launch,grid,block,cycles_active,cycles_elapsed,duration_ns,\
instructions,load_store_instructions,shared_wavefronts,shared_conflicts,chosen"
		programs | while IFS= read -r line; do
			if [ -e "$folder/counted/${line%%|*}.csv" ]; then
				launches "$line"
			else
				echo "corpus.sh: ${line%%|*} is not counted yet" >&2
			fi
		done
	} >"$folder/launches.csv.part"
	mv "$folder/launches.csv.part" "$folder/launches.csv"
}

# gather FOLDER COLUMNS: its rows as one table
gather() {
	mkdir -p "$folder/$1"
	{ echo "$2" && find "$folder/$1" -name '*.csv' -exec cat {} + | sort; } >"$folder/$1.csv.part"
	mv "$folder/$1.csv.part" "$folder/$1.csv"
}

gather_all() {
	gather captured program,kernel,launch,capture_seconds,outcome
	gather "$replays" "program,kernel,launch,busy_cycles,elapsed_cycles,warp_instructions,passes,conflict_passes,unknown,\
class,expected_median,expected_p90,replay_seconds,outcome"
}

stage_capture() {
	mkdir -p "$folder/captured" "$folder/traces"
	# Those that take least time first
	awk -F, '$18 == "yes" { of = $1 " " $6 " " $7; launches[of] = launches[of] " " $8; time[of] += $13 }
		END { for (of in launches) print time[of] " " of launches[of] }' "$folder/launches.csv" | sort -g | cut -d ' ' -f 2- |
		xargs -r -P "$jobs" -L 1 bash -c 'capture "$@"' capture ||
		echo "corpus.sh: a capture broke off" >&2
	gather_all
}

stage_replay() {
	mkdir -p "$folder/$replays"
	find "$folder/traces" -name '*.bin' -size +0 -printf '%s %f\n' | sort -g | sed 's/.* //; s/\.bin$//' |
		xargs -r -P "$jobs" -L 1 bash -c 'replay "$@"' replay ||
		echo "corpus.sh: a replay broke off" >&2
	gather_all
}

# A mangled name without what a table has no room for
short_name() {
	c++filt | sed -E 's/^void //; s/\(anonymous namespace\)::|<unnamed>:://g; s/[<(].*//; s/.*:://'
}

stage_table() {
	local launches=$folder/launches.csv
	gather_all
	echo "program,suite,version,licence,third,kernel,launch,grid,block,cycles_active,cycles_elapsed,duration_ns,instructions,\
shared_wavefronts,shared_conflicts,busy_cycles,simulated_elapsed,simulated_instructions,passes,conflict_passes,unknown,class,\
expected_median,expected_p90,capture_seconds,replay_seconds,outcome"
	awk -F, -v OFS=, -v captured="$folder/captured.csv" -v replayed="$folder/$replays.csv" '
		BEGIN {
			while ((getline <captured) > 0) {
				capture_seconds[$1, $2, $3] = $4
				outcome[$1, $2, $3] = $5
			}
			while ((getline <replayed) > 0) {
				simulated[$1, $2, $3] = $4 "," $5 "," $6 "," $7 "," $8 "," $9 "," $10 "," $11 "," $12
				replay_seconds[$1, $2, $3] = $13
				if ($14 != "replayed" || outcome[$1, $2, $3] !~ /^gaps/)
					outcome[$1, $2, $3] = $14
			}
		}
		FNR == NR { names[FNR] = $0; next }
		FNR > 1 {
			of = $1 SUBSEP $6 SUBSEP $8
			print $1, $2, $3, $4, $5, names[FNR - 1] "." $6, $8, $9, $10, $11, $12, $13, $14, $16, $17,
				(of in simulated ? simulated[of] : ",,,,,,,,"), capture_seconds[of], replay_seconds[of],
				(of in outcome ? outcome[of] : $18 == "yes" ? "not captured" : $18)
		}' <(tail -n +2 "$launches" | cut -d, -f 7 | short_name) "$launches"
}

for stage; do
	case $stage in
	count | capture | replay | table) "stage_$stage" ;;
	*) fail "there is no stage '$stage': count, capture, replay and table are" ;;
	esac
done

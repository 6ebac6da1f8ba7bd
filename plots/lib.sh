# SPDX-License-Identifier: MIT
# What the experiments share. Each plots/NAME.sh prints a CSV: a header, then a row a run. By hand:
# PATH=build:$PATH ATOMSIM_CONFIG_PATH=configs bash plots/kmeans.sh
# shellcheck shell=bash
set -eu -o pipefail
SOURCE=${SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
ATOMSIM=${ATOMSIM:-atomsim}
CONFIG=${CONFIG:-fermi.json}
JOBS=${JOBS:-$(nproc)}
export ATOMSIM LC_ALL=C
traces=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-plots.XXXXXX")
trap 'rm -rf "$traces"' EXIT

# columns NAME,...: of the CSV on stdin, without its header.
columns() {
	awk -F, -v names="$1" '
		NR == 1 {
			n = split(names, wanted, ",")
			for (i = 1; i <= NF; i++) place[$i] = i
			next
		}
		{
			# Text in quotes may have commas; nobody asks for it here.
			gsub(/"[^"]*"/, "")
			for (i = 1; i <= n; i++) printf "%s%s", $place[wanted[i]], i < n ? "," : "\n"
		}'
}

# make_traces: a line "LABEL: WORKLOAD OPTION..." on stdin is a trace; LABEL goes into $traces/labels.
# Options are parted and quoted as xargs does it.
make_traces() {
	local n=0 label arguments
	rm -f "$traces"/*
	while IFS=: read -r label arguments; do
		n=$((n + 1))
		printf '%s\n' "$label" >>"$traces/labels"
		printf '%s -o %s/%05d.bin\n' "$arguments" "$traces" $n
	done | xargs -P "$JOBS" -L 1 "$ATOMSIM" gen
}

# replay COLUMNS OPTION...: replays the traces; prints a row "LABEL,values" each.
replay() {
	local names=$1
	shift
	"$ATOMSIM" run --config "$CONFIG" --no-baseline --reproducible --format csv "$@" \
		"$traces"/*.bin | columns "$names" | paste -d, "$traces/labels" -
}

# measure COLUMNS OPTION...: both, for the lines on stdin.
measure() {
	make_traces
	replay "$@"
}

# lanes FIRST-WORD COUNT STRIDE: COUNT lanes a stride apart, the other lanes on words of their own.
lanes() {
	awk -v first="$1" -v count="$2" -v stride="$3" 'BEGIN {
		for (i = 0; i < 32; i++) printf "%s%d", i ? " " : "", i < count ? first + i * stride : i
	}'
}

# deepen FILE.pgm: an 8-bit image as one of 12 bits
deepen() {
	tail -c 262144 "$1" | od -An -v -t u1 -w512 | awk '
		BEGIN { print "P2 509 509 4095" }
		{
			for (x = 1; x <= 509; x++) row[NR % 4, x] = $x + $(x + 1) + $(x + 2) + $(x + 3)
			if (NR >= 4)
				for (x = 1; x <= 509; x++) print row[0, x] + row[1, x] + row[2, x] + row[3, x]
		}'
}

#!/bin/bash
# SPDX-License-Identifier: MIT
# What reports say of their own error, as expected-errors.json of the config's folder: of measured launches, by the class that
# reports name themselves (expected_error.class), and of predicted gains, by change.
#
#   expected-errors.sh CONFIG FOLDER
#
# FOLDER has the launches' tables and traces, kernels.csv, what-if.list and the newest corpora. ATOMSIM is the program. On stderr: how many
# launches of the programs that are held back are within what is said of the others. `make expected-errors` calls it.
#
# Who reads a report has a program of his own, which no rule has met. So a class is of programs of others that nobody had looked at when they
# were replayed, and of which only sums have been seen since, where these have five launches of it, else of these and of launches of ours.
# Of ours whole programs are held back, a third of them by the checksum of their names; of others those of other suites. The corpora have no
# traces here: their cycles are those of their last replay (corpus.sh), whatever the config.
set -e -o pipefail
export LC_ALL=C ATOMSIM=${ATOMSIM-atomsim}
here=$(cd "$(dirname "$0")" && pwd)
config=$1 folder=$2
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# TRACE|PROGRAM of a table. An operation of PyTorch and an algorithm of CUB is a program, and so is a family of variants.
programs() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ program = $column["program"] }
		program == "torch" || program == "algorithms" { program = program " " $column["arguments"] }
		{ print $column["trace"] "|" program }' "$1" | sort -t '|' -k 1,1
}

# TRACE|CLASS of traces; those that lack something are of no class
classes() {
	"$ATOMSIM" run --config "$config" --no-baseline --causes=no --reproducible --format json "$@" |
		sed -nE 's/.*"trace":\{"name":"([^"]*)\.bin".*"expected_error":\{"class":"([^"]*)".*/\1|\2/p' | sort -t '|' -k 1,1
}

# TRACE|ERROR of the busy cycles of a table's launches
errors() {
	"$ATOMSIM" validate --config "$config" --format csv "$1" |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			$column["operation"] == "launch" {
				name = $column["pattern"]
				sub(/^[^\/]*\//, "", name)
				e = $column["error"]
				print name "|" (e < 0 ? -e : e)
			}' | sort -t '|' -k 1,1
}

# PROGRAM|CLASS|ERROR of a table with its folder of traces beside it
launches() {
	join -t '|' <(programs "$1.csv") <(classes "$1"/*.bin) | join -t '|' - <(errors "$1.csv") | cut -d '|' -f 2-
}

# The plain variants, as a table like the others
variants() {
	mkdir "$work/variants"
	for packed in "$folder"/variants/*.bin.xz; do
		xz -dc "$packed" >"$work/variants/$(basename "$packed" .xz)"
	done
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; print "trace,program,cycles_active,launch.l2"; next }
		$column["plain"] == $column["variant"] {
			family = $column["plain"]
			sub(/-.*/, "", family)
			print $column["plain"] ",variants " family "," $column["cycles_active"] ",warm"
		}' "$folder/variants.csv" >"$work/variants.csv"
}

# PROGRAM|1 of those that are held back, PROGRAM|0 of the others
held_back() {
	sort -u | while read -r program; do
		sum=$(printf '%s' "$program" | cksum)
		echo "$program|$((${sum%% *} % 3 == 0))"
	done
}

# unseen FILE FIRST HELD: CLASS|ERROR|HELD of a corpus from that third on
unseen() {
	awk -F, -v first="$2" -v held="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["outcome"] == "replayed" && $column["class"] != "" && $column["cycles_active"] > 0 && $column["third"] >= first {
			class = $column["class"]
			gsub(";", ",", class)
			e = $column["busy_cycles"] / $column["cycles_active"] - 1
			print class "|" (e < 0 ? -e : e) "|" held
		}' "$folder/$1.csv"
}

# The same of all: HeCBench; and CUDA Samples, moderngpu and llm.c, which are held back
others() {
	unseen corpus-fourth 2 0
	unseen corpus-fifth 2 0
	unseen corpus-sixth 0 0
	unseen corpus-seventh 1 1
}

# own and others' lines: of classes of which others have five that are not held back, only theirs
chosen() {
	awk -F '|' 'FNR == NR { n[$1] += $3 == 0; print; next } n[$1] < 5' "$work/others" -
}

# of lines "WHAT|ERROR|HELD" an object for each; further arguments are awk's
summary() {
	sort -t '|' -k 1,1 -k 2,2g | awk -F '|' "$@" -f "$here/expected-errors.awk"
}

variants
for table in "$folder"/{counted,fresh,later,unseen}-launches "$work/variants"; do
	launches "$table"
done >"$work/launches"
cut -d '|' -f 1 "$work/launches" | held_back >"$work/held"
checksum=$("$ATOMSIM" config --config "$config" --checksum)
cat <<-END
	{
	  "description": "Written by make expected-errors: how far off runs were on the config of that checksum (atomsim config --checksum). launches: busy cycles of captured launches, of programs of others that were never looked at where they have five of a class, else of ours, too; changes: predicted gains. points were measured; median, p90 (90th percentile) and max are relative.",
	  "config": "$checksum",
	  "launches": [
END
others >"$work/others"
join -t '|' -o 1.2,1.3,2.2 <(sort -t '|' -k 1,1 "$work/launches") "$work/held" | chosen | summary
echo '  ],'
echo '  "changes": ['
bash "$here/what-if.sh" "$config" "$folder" |
	awk '$NF == "%" && $2 ~ /=/ { e = $(NF - 1) / 100; sub(/=.*/, "=", $2); print $2 "|" (e < 0 ? -e : e) "|0" }' |
	summary -v bound=max
echo '  ]'
echo '}'

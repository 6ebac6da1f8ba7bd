#!/bin/bash
# SPDX-License-Identifier: MIT
# What reports say of their own error, as expected-errors.json of the config's folder: of measured launches, by the class that
# reports name themselves (expected_error.class), and of predicted gains, by change.
#
#   expected-errors.sh CONFIG FOLDER
#
# FOLDER has the launches' tables and traces, kernels.csv, what-if.list and corpus-third.csv. ATOMSIM is the program. On stderr: how many
# launches of the programs that are held back are within what is said of the others. `make expected-errors` calls it.
#
# Who reads a report has a program of his own, so a class is of programs of others (corpus-third.csv) where these have nine launches of it, else
# of all launches. Whole programs are held back, a third of them by the checksum of their names; of the corpus third 1, and of its
# third 2 nothing is read. The corpus has no traces here: its cycles are those of its last replay (corpus.sh), whatever the config.
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

# CLASS|ERROR|HELD of the corpus
others() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["outcome"] == "replayed" && $column["class"] != "" && $column["third"] < 2 {
			class = $column["class"]
			gsub(";", ",", class)
			e = $column["busy_cycles"] / $column["cycles_active"] - 1
			print class "|" (e < 0 ? -e : e) "|" $column["third"]
		}' "$folder/corpus-third.csv"
}

# own and others' lines: of classes of which others have nine that are not held back, only theirs
chosen() {
	awk -F '|' 'FNR == NR { n[$1] += $3 == 0; print; next } n[$1] < 9' "$work/others" -
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
	  "description": "Written by make expected-errors: how far off runs were on the config of that checksum (atomsim config --checksum). launches: busy cycles of captured launches, two thirds of all programs, those of others alone where they have nine of a class; changes: predicted gains. points were measured; median, p90 (90th percentile) and max are relative.",
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

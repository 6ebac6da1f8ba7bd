#!/bin/bash
# SPDX-License-Identifier: MIT
# Reports obey the JSON Schema that the program prints; the manual's table of keys is the program's.
# usage: report.sh [--update]    rewrites the table in docs/reference/report.md
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

manual=$SOURCE/docs/reference/report.md
mark='<!-- The rest of this page'

{
	sed "/^$mark/q" "$manual"
	echo
	"$ATOMSIM" list statistics --format markdown
} >"$work/report.md"
if [ "${1:-}" = --update ]; then
	cmp -s "$work/report.md" "$manual" || cp "$work/report.md" "$manual"
	exit
fi
check "the manual's table of statistics is current (else: make update-golden)" \
	diff -u "$manual" "$work/report.md"

"$ATOMSIM" list --schema run >"$work/schema.json"

# obeys LINES...: every object of the files is as the schema says
obeys() {
	python3 - "$work/schema.json" "$@" <<-'END'
		import json, sys, jsonschema
		schema = json.load(open(sys.argv[1]))
		jsonschema.Draft202012Validator.check_schema(schema)
		validator = jsonschema.Draft202012Validator(schema)
		for path in sys.argv[2:]:
		    for line in open(path):
		        validator.validate(json.loads(line))
	END
}

disobeys() {
	! obeys "$@"
}

cd "$work" || exit 99
run=("$ATOMSIM" run --config fermi.json --format json)
"${run[@]}" "$SOURCE"/traces/{histogram,transpose}.bin >two.jsonl 2>/dev/null
"${run[@]}" --reproducible --no-baseline "$SOURCE/traces/scan.bin" >reproducible.jsonl
"$ATOMSIM" gen pattern --addresses "0 0" -o bare.bin
"${run[@]}" bare.bin >bare.jsonl 2>/dev/null
sed 's/"cycles":/"cyles":/' bare.jsonl >misspelt.jsonl
check "one line for each trace" test "$(wc -l <two.jsonl)" -eq 2
if python3 -c 'import jsonschema' 2>/dev/null; then
	check "reports obey the schema" obeys two.jsonl reproducible.jsonl bare.jsonl
	check "a misspelt key does not" disobeys misspelt.jsonl
else
	skip "reports obey the schema" "python3-jsonschema is not installed"
fi
# A cycle of a warp is one instruction's: the sites' together are no more than all, and no less than all
# but what warps waited for the end of their blocks. (The report has the first 16 sites.)
: >"$work/sums"
for config in fermi h200; do
	for trace in "$SOURCE"/traces/*.bin; do
		"$ATOMSIM" run --config $config.json --no-baseline --reproducible --format json "$trace" >"$work/json" 2>"$work/stderr" || continue
		all=$(grep -oE '"resident_warp_cycles":[0-9]+' "$work/json" | cut -d : -f 2)
		done=$(grep -oE '"done":[0-9]+' "$work/json" | cut -d : -f 2)
		grep -oE '"sites":\[[^]]*\]' "$work/json" | grep -oE '"cycles":[0-9]+' | cut -d : -f 2 |
			awk -v all=$((all - done)) -v name="$config ${trace##*/}" '{ n += $1 }
				END { print (n > all || (NR < 16 && n < 0.95 * all) ? "wrong:" : "right:"), name, n, "of", all }' >>"$work/sums"
	done
done
check "many reports were looked at" test "$(wc -l <"$work/sums")" -gt 30
check "the sites' cycles are all cycles, once" test "$(grep -c '^wrong' "$work/sums")" -eq 0
done_testing

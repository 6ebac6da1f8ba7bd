#!/bin/bash
# SPDX-License-Identifier: MIT
# Reports obey the JSON Schema that the program prints; the manual's table of keys is the program's.
# usage: report.sh [--update]    rewrites the table in docs/report.md
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

manual=$SOURCE/docs/report.md
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

"$ATOMSIM" run --help-json >"$work/schema.json"

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
done_testing

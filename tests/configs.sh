#!/bin/bash
# SPDX-License-Identifier: MIT
# The shipped configs load and obey the schema; the manual's tables of keys are those of the program.
# usage: configs.sh [--update]    rewrites the tables in docs/reference/configs.md
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

manual=$SOURCE/docs/reference/configs.md
mark='<!-- The rest of this page'

# renew_manual: the page with the tables as the program has them now
renew_manual() {
	sed "/^$mark/q" "$manual"
	echo
	"$ATOMSIM" config --markdown
}

renew_manual >"$work/configs.md"
if [ "${1:-}" = --update ]; then
	cp "$work/configs.md" "$manual"
	exit
fi

check "the manual's tables of keys are current (else: make update-golden)" \
	diff -u "$manual" "$work/configs.md"

"$ATOMSIM" list --schema config >"$work/schema.json"
# shellcheck disable=SC2016 # the inner shell expands
check "the option --help-config prints the same keys as the command" \
	bash -c 'cmp <("$ATOMSIM" --help-config) <("$ATOMSIM" config --keys)'

configs=("$SOURCE"/configs/*.json "$SOURCE"/configs/*/config.json "$SOURCE"/configs/designs/*.json)
# One interpreter for all: what does not obey, a line each.
has_jsonschema=yes
python3 -c 'import jsonschema' 2>/dev/null || has_jsonschema=no
[ $has_jsonschema = no ] || python3 - "$work/schema.json" "${configs[@]}" >"$work/disobey" 2>&1 <<'END' || cat "$work/disobey"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for path in sys.argv[2:]:
	for error in validator.iter_errors(json.load(open(path))):
		print(f"{path}: {error.json_path}: {error.message}")
print("all were read")
END

# obeys CONFIG: no line is of it, and the last config was reached
obeys() {
	! grep -F "$1: " "$work/disobey" && grep -qx 'all were read' "$work/disobey"
}

for config in "${configs[@]}"; do
	name=${config#"$SOURCE/configs/"}
	check "$name loads" "$ATOMSIM" config --config "$config"
	if [ $has_jsonschema = yes ]; then
		check "$name obeys the schema" obeys "$config"
	else
		skip "$name obeys the schema" "python3-jsonschema is not installed"
	fi
done

done_testing

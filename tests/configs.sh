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

for config in "$SOURCE"/configs/*.json "$SOURCE"/configs/*/config.json "$SOURCE"/configs/designs/*.json; do
	name=${config#"$SOURCE/configs/"}
	check "$name loads" "$ATOMSIM" config --config "$config"
	if python3 -c 'import jsonschema' 2>/dev/null; then
		check "$name obeys the schema" python3 - "$work/schema.json" "$config" <<-'END'
			import json, sys, jsonschema
			schema, config = (json.load(open(path)) for path in sys.argv[1:])
			jsonschema.Draft202012Validator.check_schema(schema)
			jsonschema.Draft202012Validator(schema).validate(config)
		END
	else
		skip "$name obeys the schema" "python3-jsonschema is not installed"
	fi
done

done_testing

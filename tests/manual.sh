#!/bin/bash
# SPDX-License-Identifier: MIT
# The manual page against the program itself.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

name="the manual page is what --help says today (else: make update-golden)"
if command -v help2man >/dev/null; then
	bash "$SOURCE/docs/man.sh" "$ATOMSIM" >"$work/atomsim.1"
	# The first line names help2man's version.
	tail -n +2 "$SOURCE/docs/atomsim.1" >"$work/shipped"
	check "$name" diff -u "$work/shipped" <(tail -n +2 "$work/atomsim.1")
else
	skip "$name" "no help2man"
fi

name="the manual page has no error of layout"
if command -v man >/dev/null && man --warnings -l "$SOURCE/docs/atomsim.1" >/dev/null 2>&1; then
	man --warnings -l "$SOURCE/docs/atomsim.1" 2>"$work/warnings" >/dev/null
	if [ -s "$work/warnings" ]; then not_ok "$name" "$work/warnings"; else ok "$name"; fi
else
	skip "$name" "no man"
fi

mapfile -t commands < <("$ATOMSIM" --help | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p')
check "--help lists commands" test ${#commands[@]} -ge 5
for command in "${commands[@]}"; do
	check "atomsim $command --help succeeds" "$ATOMSIM" "$command" --help
done

done_testing

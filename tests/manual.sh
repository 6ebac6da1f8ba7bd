#!/bin/bash
# SPDX-License-Identifier: MIT
# The manual's pages and docs/reference/commands.md against the program itself.
# usage: manual.sh [--update]    writes docs/reference/commands.md
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

shipped=$SOURCE/docs/reference/commands.md
bash "$SOURCE/docs/man/commands.sh" "$ATOMSIM" >"$work/commands.md" || exit 99
if [ "${1:-}" = --update ]; then
	cp "$work/commands.md" "$shipped"
	exit
fi
check "the page of commands is what --help says (else: make update-golden)" diff -u "$shipped" "$work/commands.md"

# page_of NAME: the page as it was built, or shipped
page_of() {
	if [ -e "$BUILD/man/$1" ]; then echo "$BUILD/man/$1"; else echo "$SOURCE/man/$1"; fi
}

# rows: of help texts on stdin each row of a list on one line, its blanks single
rows() {
	awk 'function end() { gsub(/ +/, " ", row); if (row != "") print substr(row, 2); row = "" }
		/^  [^ ]/ { end(); row = $0; next }
		/^   / && row != "" { row = row $0; next }
		{ end() }
		END { end() }'
}

# helps COMMAND: its help and that of all on its lists
helps() {
	local more
	"$ATOMSIM" "$1" --help
	"$ATOMSIM" "$1" --help | sed -nE '/^(Commands|Workloads):$/,/^$/s/^  ([a-z-]+) .*/\1/p' | while read -r more; do
		"$ATOMSIM" "$1" "$more" --help
	done
}

# says_the_same PAGE: of rows on stdin those that the rendered page has not are printed
says_the_same() {
	LC_ALL=C.UTF-8 MANWIDTH=500 man -l "$1" | col -b | tr -s ' \n\t' ' ' >"$work/rendered"
	awk 'NR == FNR { page = page $0; next } !index(page, $0) { print "not in the page: " $0; wrong = 1 }
		END { exit wrong }' "$work/rendered" -
}

mapfile -t commands < <("$ATOMSIM" --help | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p')
check "--help lists commands" test ${#commands[@]} -ge 5
pages=(atomsim.1 "${commands[@]/%/.1}" atomsim-config.5 atomsim-trace.5 atomsim.h.3)
for i in $(seq ${#commands[@]}); do
	pages[i]=atomsim-${pages[i]}
done
has_man=
if command -v man >/dev/null && man -l "$(page_of atomsim.1)" 2>&1 | grep -q SYNOPSIS; then has_man=yes; fi

for page in "${pages[@]}"; do
	file=$(page_of "$page")
	check "$page is a page" test -s "$file"
	name="$page has no error of layout"
	if [ -n "$has_man" ]; then
		LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$file" 2>"$work/warnings" >/dev/null
		if [ -s "$work/warnings" ]; then not_ok "$name" "$work/warnings"; else ok "$name"; fi
	else
		skip "$name" "no man"
	fi
	name="$page is as mandoc likes it"
	if command -v mandoc >/dev/null; then
		check "$name" mandoc -T lint -W warning "$file"
	else
		skip "$name" "no mandoc"
	fi
	check "$page refers to others" grep -qx '.SH "SEE ALSO"' "$file"
	shown=${page%.*}
	[ "$page" = atomsim.1 ] ||
		check "atomsim(1) refers to $page" grep -qF "\\fB${shown//-/\\-}\\fR(${page##*.})" "$(page_of atomsim.1)"
done

for command in "${commands[@]}"; do
	page=atomsim-$command.1
	for part in SYNOPSIS OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
		check "$page has $part" grep -qx ".SH \"$part\"" "$(page_of "$page")"
	done
	name="$page has each option, text and example of the help"
	if [ -n "$has_man" ]; then
		helps "$command" | rows >"$work/rows"
		check "$name" says_the_same "$(page_of "$page")" <"$work/rows"
	else
		skip "$name" "no man"
	fi
done
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# The manual's commands are run as it prints them. In README.md and the pages of docs/ a block fenced as
# ```sh is run by bash and must succeed; a ```text block right after it is what it must have printed
# on stdout. Blocks of one page run in order in one folder that holds configs/ and traces/. What
# cannot be run here (an installation, a GPU) is fenced as ```console. A block behind a line "<!-- long -->" takes
# seconds; where a share of the tests is asked for it is left out, with what it prints. Lessons are run by sh in an empty
# folder, as students do who have installed the program; a drawing NAME.svg that a page makes must be that of
# docs/images/lessons, where there is one.
# usage: readme.sh [--update] [PAGE]...    --update rewrites the ```text blocks; pages: these alone, as docs/guide/sweep.md
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

update=no
if [ "${1:-}" = --update ]; then
	update=yes
	shift
fi

# run_block: runs $work/block in the page's folder; stdout goes to $work/stdout.
run_block() {
	(
		cd "$work/$page" || exit 99
		PATH=$PWD/.bin:$PATH
		unset G_DEBUG MALLOC_PERTURB_
		"$shell" -e "$work/block"
	) >"$work/stdout" 2>"$work/stderr" </dev/null
}

# finish_block: at the end of a fenced block
finish_block() {
	local first
	case $kind in
	sh)
		first=$(grep -v '^$' "$work/block" | head -n 1)
		left_out=
		if [ -n "$long" ] && a_share && [ $update = no ]; then
			left_out=yes
			skip "$page, line $start: $first" "a share of the tests"
		elif run_block; then
			[ $update = yes ] || ok "$page, line $start: $first"
		else
			cat "$work/stdout" "$work/stderr" >"$work/said"
			not_ok "$page, line $start: $first" "$work/said"
		fi
		;;
	text)
		[ "$last_kind" = sh ] && [ -z "$left_out" ] || return 0
		if [ $update = yes ]; then
			cp "$work/stdout" "$work/block"
		elif diff -u --label "$page" --label actual "$work/block" "$work/stdout" >"$work/diff"; then
			ok "$page, line $start: that is what it prints"
		else
			not_ok "$page, line $start: that is what it prints" "$work/diff"
		fi
		;;
	esac
}

# check_pictures: those that the page shows and its blocks have drawn
check_pictures() {
	local drawn picture
	for drawn in "$work/$page"/*.svg; do
		picture=docs/images/lessons/${drawn##*/}
		grep -qF "images/lessons/${drawn##*/})" "$file" || continue
		if [ $update = yes ]; then
			cmp -s "$drawn" "$SOURCE/$picture" || echo "redrawn: $picture"
			cp "$drawn" "$SOURCE/$picture"
		elif cmp "$drawn" "$SOURCE/$picture" >"$work/diff" 2>&1; then
			ok "$page draws $picture"
		else
			not_ok "$page draws $picture" "$work/diff"
		fi
	done
}

pages=("$@")
[ $# -gt 0 ] || mapfile -t pages < <(cd "$SOURCE" && find README.md docs -name '*.md' | sort)
for page in "${pages[@]}"; do
	file=$SOURCE/$page
	shell="bash"
	if [[ $page == docs/lessons/* ]]; then
		shell="sh"
		mkdir -p "$work/$page/.bin"
		ln -s "$ATOMSIM" "$work/$page/.bin/atomsim"
	else
		furnish "$work/$page"
	fi
	kind='' last_kind='' number=0 long=''
	: >"$work/page"
	while IFS= read -r line || [ -n "$line" ]; do
		number=$((number + 1))
		if [ -n "$kind" ] && [ "$line" = '```' ]; then
			finish_block
			cat "$work/block" >>"$work/page"
			last_kind=$kind
			kind='' long=''
		elif [ -n "$kind" ]; then
			printf '%s\n' "$line" >>"$work/block"
		elif [[ $line == '```'* ]]; then
			kind=${line#'```'}
			kind=${kind:-none}
			start=$number
			: >"$work/block"
		elif [ "$line" = '<!-- long -->' ]; then
			long=yes
		elif [ -n "$line" ]; then
			last_kind=
		fi
		[ -n "$kind" ] && [[ $line != '```'* ]] || printf '%s\n' "$line" >>"$work/page"
	done <"$file"
	check_pictures
	if [ $update = yes ] && ! cmp -s "$work/page" "$file"; then
		cp "$work/page" "$file"
		echo "rewritten: $page"
	fi
done
[ $update = yes ] || done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# Golden tests of the command line: each tests/cli/*.test is a list of commands with what they
# must print.
#
#   # What the case shows, as a sentence
#   % long    where there is such a line: seconds, for many runs or one large one of what other cases run,
#             too. A share of the tests (TEST_SHARE above 1) does without; no other case needs its files.
#   $ atomsim list hashes | head -1
#   > a line of stdout
#   ! a line of stderr
#   = exit status, left out for 0
#
# The commands of a file run in order, by bash, in one fresh folder that holds configs/, traces/
# and tests/ of the checkout. A new test is a new file, or a new case in one: write its first two
# lines and let `make update-golden` fill in the rest; then read the git diff.
#
# usage: cli.sh [--update] [FILE.test]...
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

update=no
if [ "${1:-}" = --update ]; then
	update=yes
	shift
fi
[ $# -gt 0 ] || set -- "$SOURCE"/tests/cli/*.test

# say MARK LINE...: adds these lines of what a command did to $actual
say() {
	local mark=$1 line
	shift
	for line; do
		actual+="$mark${line:+ $line}"$'\n'
	done
}

# run_command COMMAND: sets $actual to what it does, in the language of the test files. There are hundreds of cases, so
# that no other program is started here.
run_command() {
	local status=0 lines
	(
		cd "$work/$name" || exit 99
		PATH=$PWD/.bin:$PATH
		unset G_DEBUG MALLOC_PERTURB_
		eval "$1"
	) >"$work/stdout" 2>"$work/stderr" </dev/null || status=$?
	actual=
	mapfile -t lines <"$work/stdout"
	say '>' "${lines[@]}"
	mapfile -t lines <"$work/stderr"
	# On a slow machine steps of a measurement take a second.
	lines=("${lines[@]/%failed, [0-9] s/failed, 0 s}")
	say '!' "${lines[@]}"
	[ "$status" -eq 0 ] || say '=' "$status"
}

# finish_case: compares the case that has been read with what its command does now.
finish_case() {
	[ -n "$command" ] || return 0
	if [ -n "$long" ] && a_share && [ $update = no ]; then
		skip "$name: $title" "a share of the tests"
		command='' long='' expected=''
		return
	fi
	if [ "$has_jq" = no ] && [[ $command =~ (^|[^a-z])jq\  ]] && [ $update = no ]; then
		skip "$name: $title" "jq is not installed"
		command='' long='' expected=''
		return
	fi
	run_command "$command"
	rewritten+=$actual
	if [ $update = yes ]; then
		:
	elif [ "$actual" = "$expected" ]; then
		ok "$name: $title"
	else
		diff -u --label expected --label actual <(printf %s "$expected") <(printf %s "$actual") >"$work/.diff"
		not_ok "$name: $title" "$work/.diff"
	fi
	command='' long='' expected=''
}

has_jq=yes
command -v jq >/dev/null || has_jq=no
for file; do
	name=$(basename "$file" .test)
	furnish "$work/$name"
	command='' title='' long='' expected='' rewritten=''
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'$ '*)
			finish_case
			command=${line#\$ }
			rewritten+=$line$'\n'
			;;
		'% long')
			finish_case
			long=yes
			rewritten+=$line$'\n'
			;;
		'>'* | '!'* | '='*)
			expected+=$line$'\n'
			;;
		*)
			finish_case
			[ "${line#\# }" = "$line" ] || title=${line#\# }
			rewritten+=$line$'\n'
			;;
		esac
	done <"$file"
	finish_case
	if [ $update = yes ]; then
		printf %s "$rewritten" >"$work/rewritten"
		cmp -s "$work/rewritten" "$file" || {
			cp "$work/rewritten" "$file"
			echo "rewritten: ${file#"$SOURCE"/}"
		}
	fi
done
[ $update = yes ] || done_testing

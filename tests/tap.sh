# SPDX-License-Identifier: MIT
# Test scripts source this: TAP on stdout, and a folder to work in that goes away at the end.
# shellcheck shell=bash
# They run under `make check`, which sets ATOMSIM, SOURCE and BUILD; by hand, from a build folder,
# these are guessed.

SOURCE=${SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
BUILD=${BUILD:-$PWD}
ATOMSIM=${ATOMSIM:-$BUILD/atomsim}
ATOMSIM_CONFIG_PATH=${ATOMSIM_CONFIG_PATH:-$SOURCE/configs}
ATOMSIM_TRACE_PATH=${ATOMSIM_TRACE_PATH:-$SOURCE/traces}
ATOMSIM_FORM_PATH=${ATOMSIM_FORM_PATH:-$SOURCE/measurements/forms}
LC_ALL=C.UTF-8
export SOURCE BUILD ATOMSIM ATOMSIM_CONFIG_PATH ATOMSIM_TRACE_PATH ATOMSIM_FORM_PATH LC_ALL

n_tests=0
n_failed=0

# ok NAME: the check NAME holds
ok() {
	n_tests=$((n_tests + 1))
	echo "ok $n_tests - $1"
}

# not_ok NAME [FILE]: it does not, and FILE (or stdin for -) shows why; with STOP_AT_FAILURE in the environment
# nothing follows
not_ok() {
	n_tests=$((n_tests + 1))
	n_failed=$((n_failed + 1))
	echo "not ok $n_tests - $1"
	[ -z "${2:-}" ] || sed 's/^/# /' "$2"
	[ -z "${STOP_AT_FAILURE:-}" ] || exit 1
}

# skip NAME REASON
skip() {
	n_tests=$((n_tests + 1))
	echo "ok $n_tests - $1 # SKIP $2"
}

# a_share: whether a share of the tests is asked for (TEST_SHARE above 1), which does without what takes long
a_share() {
	[ "${TEST_SHARE:-1}" -gt 1 ]
}

# check NAME COMMAND...: the command must succeed; what it says is shown if it does not
check() {
	local name=$1
	shift
	if "$@" >"$work/.said" 2>&1; then ok "$name"; else not_ok "$name" "$work/.said"; fi
}

# done_testing: prints the plan; the last line of a test script
done_testing() {
	echo "1..$n_tests"
	[ "$n_failed" -eq 0 ]
}

work=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT

# furnish FOLDER: makes a folder where the commands of a test run: configs, traces and
# measurements as in the checkout, atomsim first on the path.
furnish() {
	mkdir -p "$1/.bin"
	ln -s "$SOURCE/configs" "$SOURCE/traces" "$SOURCE/measurements" "$SOURCE/tests" "$1/"
	ln -s "$ATOMSIM" "$1/.bin/atomsim"
}

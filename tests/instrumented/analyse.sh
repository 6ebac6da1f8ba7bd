#!/bin/bash
# SPDX-License-Identifier: MIT
# Static analysis by gcc -fanalyzer and cppcheck. Each finding is mended, or stands with its reason in
# known-findings.txt; one that does not stand there fails, and so does a line there that is found no more.
# usage: analyse.sh BUILD [ROOM]...
#   BUILD  a folder that was configured with CC=gcc CFLAGS='-O1 -fanalyzer'
#   ROOM   gcc, which takes minutes, looks at these folders of src/ alone (default: all), and what it finds no more is not
#          looked for; cppcheck looks at all
set -u
export LC_ALL=C # quotes in messages
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
shift
rooms=$#
if [ $# -eq 0 ]; then
	targets=(librooms.la atomsim)
else
	mapfile -t targets < <(cd "$source" && find "${@/#/src/}" -name '*.c' | sort | sed 's/c$/lo/')
fi

# Without line numbers and columns, which change: "gcc src/a.c: message".
{
	make -s -C "$build" -j "$(nproc)" -k "${targets[@]}" 2>&1 >/dev/null |
		sed -nE 's|^(\.\./)*([^:]*/)?(src/[^:]+):[0-9]+:[0-9]+: warning: (.*)|gcc \3: \4|p; s|^/usr/include/([^:]+):[0-9]+:[0-9]+: warning: (.*)|gcc \1: \2|p'
	cd "$source" && cppcheck -q -j "$(nproc)" --std=c11 --library=gnu --library=gtk -I src \
		--enable=warning,performance,portability --inline-suppr --suppress=missingInclude \
		-D__GNUC__=12 -DATOMSIM_BINDIR='""' -DATOMSIM_LIBDIR='""' -DATOMSIM_PKGDATADIR='""' -DPACKAGE_VERSION='""' \
		--include=tests/instrumented/cppcheck.h \
		--template='cppcheck {file}: {message} [{id}]' src tests/torture tests/fuzz 2>&1
} | sort -u >"$build/findings"
sed '/^#/d; /^ /d; /^$/d' "$here/known-findings.txt" | sort -u >"$build/known"
comm -13 "$build/known" "$build/findings" | sed 's/^/new: /'
[ "$rooms" -gt 0 ] || comm -23 "$build/known" "$build/findings" | sed 's/^/no more: /'
echo "$(wc -l <"$build/findings") findings, $(wc -l <"$build/known") are known in all"
if [ "$rooms" -gt 0 ]; then
	! comm -13 "$build/known" "$build/findings" | grep -q .
else
	cmp -s "$build/known" "$build/findings"
fi

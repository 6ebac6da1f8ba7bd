#!/bin/bash
# SPDX-License-Identifier: MIT
# The library as its users get it: installed into an empty prefix, found by pkg-config, its symbols those of
# the header, and the programs of docs/guide/library.md built and run against it.
# usage: library.sh [--update]    rewrites what the program prints
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

page=$SOURCE/docs/guide/library.md
dest=$work/dest
# make's own flags (-n, -j with its pipe) are not for this make.
unset MAKEFLAGS MAKELEVEL MFLAGS

# fenced KIND: the first block of that kind in the page
fenced() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/d;p}" "$page"
}

install_library() {
	make -s -C "$BUILD" DESTDIR="$dest" \
		install-library install-includeHEADERS install-pkgconfigDATA
}

# Names of the header's functions, and of what the library exports.
declared() {
	grep -oE '\batomsim_[a-z0-9_]+ ?\(' "$SOURCE/src/atomsim.h" | tr -d ' (' | sort -u
}
exported() {
	# What a sanitizer or a fuzzer adds to every library is not ours.
	nm -D --defined-only "$library" | awk '{ print $3 }' | grep -vE '^__(asan|odr_asan|ubsan|sanitizer|(start|stop)___sancov)' | sort
}

check "the library installs" install_library
library=$(find "$dest" -name 'libatomsim.so')
prefix=$(dirname "$(dirname "$library")")
check "it exports what the header declares, and nothing else" diff <(declared) <(exported)

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags() {
	pkg-config "$@" atomsim
}
check "pkg-config knows its version" \
	test "$(flags --modversion)" = "$("$ATOMSIM" --version | awk 'NR == 1 { print $NF }')"

fenced c >"$work/replicas.c"
build_program() {
	# pkg-config speaks to a shell.
	eval "\${CC:-cc} -std=c11 -Wall -Wextra -Werror -o \"\$work/replicas\" \"\$work/replicas.c\" $(flags --cflags --libs)"
}
export LD_LIBRARY_PATH=$prefix/lib
if nm -D "$library" | grep -q __asan; then
	skip "the manual's program builds, runs and prints what the page says" "a sanitized library"
else
	check "the manual's program builds against the installed library" build_program
	"$work/replicas" >"$work/printed"
	if [ "${1:-}" = --update ]; then
		awk -v printed="$work/printed" '
			/^```output$/ { print; while ((getline line < printed) > 0) print line; inside = 1; next }
			/^```$/ { inside = 0 }
			!inside' "$page" >"$work/page"
		cmp -s "$work/page" "$page" || cp "$work/page" "$page"
		exit
	fi
	check "it prints what the page says" diff <(fenced output) "$work/printed"
fi
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds, tests, installs and runs atomsim from its tarball where all paths have spaces and letters beyond ASCII: the sources, the build
# folder, the prefix, and the folder for temporary files. Nothing is written among the sources, and nothing is left behind, as
# make distcheck has it. Minutes, so part of .ci/run and not of `make check`.
# usage: spaces.sh TARBALL [TEST]...    runs these instead of all tests
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
unset ATOMSIM_CONFIG_PATH ATOMSIM_TRACE_PATH ATOMSIM_FORM_PATH MAKEFLAGS MAKELEVEL MFLAGS

[ $# -gt 0 ] || { sed -n '6s/^# //p' "$0" >&2; exit 2; }
tarball=$(realpath "$1")
shift
sources="$work/the sources größer"
build="$sources/a build ü"
prefix="$work/the prefix ß"
mkdir -p "$build"
jobs=$(nproc)
# Tests that are chosen need only their own programs.
tests=()
if [ $# -gt 0 ]; then
	programs=()
	for test; do [[ $test == *.sh ]] || programs+=("$test"); done
	tests=(TESTS="$*" check_PROGRAMS="${programs[*]} plots/patterns tests/fidelity/engine")
fi

check "the tarball unpacks" tar -xf "$tarball" --strip-components=1 -C "$sources"
touch "$work/unpacked"

elsewhere() {
	mkdir -p "$work/elsewhere" && cd "$work/elsewhere" && "$sources/configure"
}
refused() {
	! (elsewhere) && (elsewhere) 2>&1 | grep -F '&& ../configure'
}
check "configure by an absolute path with spaces says what is allowed" refused

configured() {
	cd "$build" && ../configure -q --prefix="$prefix"
}
check "configure" configured
check "make" make -s -C "$build" -j "$jobs"
tested() {
	make -s -C "$build" -j "$jobs" check "${tests[@]}" || {
		cd "$build" && grep -rh --include='*.log' -E -A 15 '^(not ok|Bail out)' tests
		return 1
	}
}
check "make check" tested
check "make install" make -s -C "$build" install

same() {
	PATH=$prefix/bin:$PATH
	cd "$work" && atomsim --config h200 --reproducible --format json transpose >installed &&
		ATOMSIM_CONFIG_PATH=$SOURCE/configs "$ATOMSIM" --config h200 --reproducible --format json \
			"$SOURCE/traces/transpose.bin" >expected &&
		cmp installed expected
}
check "the installed program runs by name" same
cat >"$work/version.c" <<'END'
#include <atomsim.h>
#include <stdio.h>

int main(void)
{
	return puts(atomsim_version()) < 0;
}
END
linked() {
	local flags
	flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs atomsim) || return 1
	# pkg-config speaks to a shell.
	eval "\${CC:-cc} -o \"\$work/version\" \"\$work/version.c\" $flags" &&
		test "$(LD_LIBRARY_PATH=$prefix/lib "$work/version")" = "$("$ATOMSIM" --version | awk 'NR == 1 { print $NF }')"
}
check "pkg-config finds the installed library" linked
check "make install DESTDIR=..." make -s -C "$build" install DESTDIR="$work/an image"
check "it is all there" diff -r "$prefix" "$work/an image$prefix"
check "make uninstall" make -s -C "$build" uninstall
check "it leaves nothing" test -z "$(find "$prefix" ! -type d)"
check "make distclean" make -s -C "$build" distclean
find "$build" -type f >"$work/left"
find "$sources" -path "$build" -prune -o -newer "$work/unpacked" -type f -print >>"$work/left"
check "it leaves nothing, and nothing was written among the sources" diff /dev/null "$work/left"
done_testing

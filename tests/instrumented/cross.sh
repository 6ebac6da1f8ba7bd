#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds for other processors with the cross compilers that are there, without warnings, and runs the unit tests and the golden
# tests of the command line: natively where this machine can, else by qemu. Goldens are the same bytes on all of them.
# usage: cross.sh HOST... (as i686-linux-gnu, s390x-linux-gnu, aarch64-linux-gnu); TESTS in the environment: these alone, as tests/test-trace.
# What a host lacks is named, and the host skipped. Builds stay in BUILD/cross/HOST.
set -u
SOURCE=${SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${BUILD:-$PWD}
n_passed=0 n_failed=0 n_skipped=0

# What runs a host's programs: nothing if the kernel does, else qemu; fails if nothing does.
emulator_of() {
	local host=$1 name qemu
	if [ "$host" = "$(gcc -dumpmachine)" ]; then return 0; fi
	case $host in
	i?86-*) [ "$(uname -m)" != x86_64 ] || return 0 ;;
	esac
	case $host in
	i?86-*) name=i386 ;;
	arm-*) name=arm ;;
	powerpc64le-*) name=ppc64le ;;
	*) name=${host%%-*} ;;
	esac
	for qemu in "qemu-$name" "qemu-$name-static"; do
		if command -v "$qemu"; then return 0; fi
	done
	return 1
}

# Where a host's libraries say how they are used: Debian's folders name the kind of 32-bit x86 differently.
pkg_config_of() {
	echo "/usr/lib/${1/#i?86-/i386-}/pkgconfig:/usr/share/pkgconfig"
}

# build HOST: in the folder we are in
build() {
	local host=$1
	[ -e Makefile ] || PKG_CONFIG_LIBDIR=$(pkg_config_of "$host") "$SOURCE/configure" -q --host="$host" \
		--build="$(gcc -dumpmachine)" --without-python --enable-werror || return 1
	# A wrapper of an earlier run is no program.
	if [ -d emulated ]; then rm -r atomsim emulated; fi
	make -s -j "$(nproc)" all && make -s -j "$(nproc)" check TESTS=
}

# Scripts call the program by its name.
wrap() {
	[ -n "$1" ] || return 0
	mkdir emulated && mv atomsim emulated/atomsim
	printf '#!/bin/sh\nexec %s %s/emulated/atomsim "$@"\n' "$1" "$PWD" >atomsim
	chmod +x atomsim
}

# A test takes up to a hundred times as long.
run_tests() {
	local emulator=$1
	make -s -k -j "$(nproc)" check ${TESTS:+TESTS="$TESTS"} AM_LOG_FLAGS="36000 $emulator" \
		AM_SH_LOG_FLAGS="36000 bash"
}

# What keeps a host from being tried, in words; nothing: nothing does.
lacks() {
	local host=$1
	command -v "$host-gcc" >/dev/null || {
		echo "no $host-gcc"
		return
	}
	PKG_CONFIG_LIBDIR=$(pkg_config_of "$host") pkg-config --exists glib-2.0 libcjson libzstd libxxhash liblzma nlopt nettle ||
		echo "not all libraries for it in $(pkg_config_of "$host")"
	emulator_of "$host" >/dev/null || echo "nothing runs its programs: no qemu"
}

# try HOST: builds and tests in a folder of its own
try() {
	local host=$1 emulator
	emulator=$(emulator_of "$host")
	mkdir -p "$BUILD/cross/$host" && cd "$BUILD/cross/$host" || return 1
	build "$host" && wrap "$emulator" && run_tests "$emulator"
}

: "${TESTS=\$(unit_tests) \$(corpus_tests) tests/cli.sh}"
for host; do
	missing=$(lacks "$host" | head -n 1)
	if [ -n "$missing" ]; then
		n_skipped=$((n_skipped + 1))
		echo "skipped: $host: $missing"
	elif (try "$host"); then
		n_passed=$((n_passed + 1))
		echo "passed: $host"
	else
		n_failed=$((n_failed + 1))
		echo "FAILED: $host: see $BUILD/cross/$host"
	fi
done
echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ "$n_failed" -eq 0 ]

#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds for other processors with the cross compilers that are there, without warnings, holds reports of shipped traces against
# those of the native program, and runs the unit tests and the golden tests of the command line: natively where this machine can,
# else by qemu. All of them give the same bytes.
# usage: cross.sh HOST... (as i686-linux-gnu, s390x-linux-gnu, aarch64-linux-gnu). In the environment: TESTS, these alone, as
# tests/test-trace, or none if empty; ATOMSIM, the native program; CFLAGS.
# What a host lacks is named, and the host skipped. Builds stay in BUILD/cross/HOST. Libraries that are not installed for a host are
# fetched as Debian packages by apt, without a change to this machine, into BUILD/cross/HOST.root.
set -u
SOURCE=${SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${BUILD:-$PWD}
ATOMSIM=${ATOMSIM:-$BUILD/atomsim}
modules="glib-2.0 libcjson libzstd libxxhash liblzma nlopt nettle"
packages="libc6-dev libglib2.0-dev libcjson-dev libzstd-dev libxxhash-dev liblzma-dev libnlopt-dev nettle-dev"
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

# Debian's name of a host's folders and libraries: it differs for 32-bit x86.
multiarch_of() {
	echo "${1/#i?86-/i386-}"
}

# Debian's name of a host as an architecture of packages.
architecture_of() {
	case $1 in
	aarch64-*) echo arm64 ;;
	arm-*) echo armhf ;;
	i?86-*) echo i386 ;;
	powerpc64le-*) echo ppc64el ;;
	*) echo "${1%%-*}" ;;
	esac
}

# find_libraries HOST: sets $root, where a host's libraries are, with empty for this machine's own. Fails if they are nowhere.
find_libraries() {
	local folder=$BUILD/cross/$1.root
	for root in '' "$folder"; do
		# shellcheck disable=SC2086 # words
		if [ ! -e "$root/apt" ] && packages_of "$1" pkg-config --exists $modules; then return 0; fi
	done
	fetch_libraries "$1" "$folder" >"$folder.log" 2>&1
}

# packages_of HOST COMMAND...: with what pkg-config is to know of the host's libraries in $root
packages_of() {
	local folders
	folders=$root/usr/lib/$(multiarch_of "$1")/pkgconfig:$root/usr/share/pkgconfig
	PKG_CONFIG_LIBDIR=$folders PKG_CONFIG_SYSROOT_DIR=$root "${@:2}"
}

# fetch_libraries HOST FOLDER: apt has a state of its own there, so that it neither knows nor changes what is installed here.
fetch_libraries() {
	local folder=$2 architecture apt package from to
	rm -rf "$folder"
	architecture=$(architecture_of "$1")
	mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" && : >"$folder/apt/status" || return 1
	apt=(apt-get -q -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o "Dir::State=$folder/apt"
		-o "Dir::State::status=$folder/apt/status" -o "Dir::Cache=$folder/apt" -o Debug::NoLocking=1 -o APT::Sandbox::User=)
	# shellcheck disable=SC2086 # words
	"${apt[@]}" update && "${apt[@]}" -y --no-install-recommends --download-only install $packages || return 1
	for package in "$folder"/apt/archives/*.deb; do
		dpkg-deb -x "$package" "$folder" || return 1
	done
	# Links to a library's whole path lead out of the folder.
	find "$folder" -type l -lname '/*' -print | while IFS= read -r from; do
		to=$(readlink "$from")
		ln -sfn "$folder$to" "$from"
	done
	# What was stopped before this is fetched again.
	rm -r "$folder/apt"
}

# build HOST: in the folder we are in
build() {
	local host=$1
	[ -e Makefile ] || packages_of "$host" "$SOURCE/configure" -q --host="$host" --build="$(gcc -dumpmachine)" \
		--without-python --enable-werror ${root:+CC="$host-gcc --sysroot=$root"} ${CFLAGS:+CFLAGS="$CFLAGS"} || return 1
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

# Reports of shipped traces, with what the native program says of them: the arithmetic is the same, to the last digit.
same_reports() {
	local trace config same=0 differ=0
	local -x ATOMSIM_CONFIG_PATH=$SOURCE/configs # what a config extends
	[ -x "$ATOMSIM" ] || {
		echo "# no reports compared: no native program $ATOMSIM"
		return
	}
	for config in fermi h200; do
		for trace in "$SOURCE"/traces/*.bin; do
			"$ATOMSIM" run --config "$SOURCE/configs/$config" --reproducible --format json "$trace" >native.json 2>&1
			./atomsim run --config "$SOURCE/configs/$config" --reproducible --format json "$trace" >other.json 2>&1
			if cmp -s native.json other.json; then
				same=$((same + 1))
			else
				differ=$((differ + 1))
				echo "# $config, $(basename "$trace"): not the native report:"
				diff native.json other.json | head -n 8
			fi
		done
	done
	echo "# reports: $same as the native ones, $differ not"
	[ "$differ" -eq 0 ]
}

# A test takes up to a hundred times as long. libtool knows the program behind the script that it makes of one with a shared library.
run_tests() {
	local emulator=$1
	make -s -k -j "$(nproc)" check TESTS="$TESTS" AM_LOG_FLAGS="36000 ./libtool --mode=execute $emulator" \
		AM_SH_LOG_FLAGS="36000 bash"
}

# What keeps a host from being tried, in words; nothing: nothing does.
lacks() {
	local host=$1
	command -v "$host-gcc" >/dev/null || {
		echo "no $host-gcc"
		return
	}
	emulator_of "$host" >/dev/null || {
		echo "nothing runs its programs: no qemu"
		return
	}
	find_libraries "$host" || echo "its libraries are neither installed nor could be fetched: $BUILD/cross/$host.root.log"
}

# try HOST: builds and tests in a folder of its own
try() {
	local host=$1 emulator status=0
	find_libraries "$host" || return 1
	emulator=$(emulator_of "$host")
	emulator=${emulator:+$emulator${root:+ -L $root}}
	mkdir -p "$BUILD/cross/$host" && cd "$BUILD/cross/$host" || return 1
	build "$host" && wrap "$emulator" || return 1
	same_reports || status=1
	if [ -n "$TESTS" ]; then run_tests "$emulator" || status=1; fi
	return "$status"
}

: "${TESTS=\$(unit_tests) \$(corpus_tests) tests/cli.sh}"
mkdir -p "$BUILD/cross"
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

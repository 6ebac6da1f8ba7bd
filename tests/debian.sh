#!/bin/bash
# SPDX-License-Identifier: MIT
# The tarball of sources on a fresh Debian, in a root of its own: ./configure, make and make check by a user who is not root. Needs
# root, debootstrap and a mirror that apt knows; half an hour on two processors. TEST_SHARE=8 runs a share of the long tests.
# usage: debian.sh SUITE COMPILER TARBALL    as trixie clang; ROOT in the environment: a folder that keeps the system for the next time
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
[ $# -eq 3 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
suite=$1 compiler=$2 tarball=$(realpath "$3") root=${ROOT:-$work/root}
unset MAKEFLAGS MAKELEVEL MFLAGS

# What tests use beside what the Debian package needs to be built. Without some of it they would skip themselves.
packages="make autoconf automake libtool $compiler libc6-dev g++ git zstd xxd bash-completion zsh fish man-db mandoc bsdutils jq less
	python3-numpy python3-pandas python3-jsonschema"

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
	skip "$suite with $compiler" "needs root and debootstrap"
	done_testing
	exit
fi

# inside USER COMMAND: by that user (a number) in the root. Its mounts and processes are in namespaces of their own, which end with it.
inside() {
	# shellcheck disable=SC2016 # the inner shell's
	unshare --mount --pid --fork --kill-child sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
		exec chroot --userspec="$2:$2" "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/user LC_ALL=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive TEST_SHARE="$4" sh -c "$3"' - "$root" "$1" "$2" "${TEST_SHARE:-1}"
}

# step NAME COMMAND...: what it says goes to a log, whose end is shown if it fails. Nothing can follow then.
step() {
	local name=$1 start=$SECONDS
	shift
	if "$@" >"$work/said" 2>&1; then
		ok "$name ($((SECONDS - start)) s)"
	else
		{ grep -a -A 15 -E '^(not ok|Bail out)|(error|warning): ' "$work/said" || tail -n 40 "$work/said"; } >"$work/end"
		not_ok "$name ($((SECONDS - start)) s)" "$work/end"
		done_testing
		exit 1
	fi
}

# shellcheck disable=SC2016 # apt's variable
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/$')
# shellcheck disable=SC2086 # no mirror is no word
[ -e "$root/etc/debian_version" ] || step "debootstrap $suite" debootstrap --variant=minbase "$suite" "$root" $mirror
cp /etc/resolv.conf "$root/etc/"
rm -rf "$root/home/user"
mkdir -p "$root/home/user"
tar -xf "$tarball" -C "$root/home/user"
mv "$root"/home/user/atomsim-* "$root/home/user/atomsim"
chown -R 1000:1000 "$root/home/user"
step "packages" inside 0 "apt-get -q update && cd /home/user/atomsim && apt-get -q -y --no-install-recommends build-dep . &&
	apt-get -q -y --no-install-recommends install $(tr -s '\n\t' '  ' <<<"$packages")"
step "./configure CC=$compiler" inside 1000 "cd /home/user/atomsim && ./configure CC=$compiler --enable-werror"
step "make" inside 1000 "cd /home/user/atomsim && make -s -k -j $(nproc)"
step "make check" inside 1000 "cd /home/user/atomsim && make -s -j $(nproc) check || {
	grep -rh --include='*.log' -E -A 15 '^(not ok|Bail out)' tests; exit 1; }"
sed -n '/^# TOTAL/,/^# ERROR/p' "$work/said"
inside 1000 "cd /home/user/atomsim && grep -rh --include='*.log' -E '^ok .*# SKIP' tests | sort | uniq -c" | sed 's/^/# /'
done_testing

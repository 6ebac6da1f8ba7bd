#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages from a tarball of the release, holds them against lintian, and with --install installs,
# uses, upgrades and purges them on this machine, by the tests of debian/tests.
# usage: packages.sh [--install] TARBALL FOLDER    packages go to FOLDER
set -eu
install=''
[ "${1:-}" != --install ] || { install=yes; shift; }
[ $# -eq 2 ] || { sed -n '3,5p' "$0" >&2; exit 2; }
tarball=$(realpath "$1") folder=$2
mkdir -p "$folder"
cd "$folder"
say() {
	echo "packages: $*" >&2
}

# --- Build ---
version=${tarball##*/atomsim-} version=${version%.tar.*}
cp "$tarball" "atomsim_$version.orig.tar.${tarball##*.tar.}"
rm -rf "atomsim-$version"
tar -xf "$tarball"
[ "$(sed -nE '1s/^atomsim \(([^)-]*)-.*/\1/p' "atomsim-$version/debian/changelog")" = "$version" ] || {
	say "debian/changelog is not of version $version"
	exit 1
}
say "dpkg-buildpackage"
(cd "atomsim-$version" && dpkg-buildpackage -us -uc) >build.log 2>&1 || {
	tail -n 40 build.log >&2
	exit 1
}
changes=$(echo "atomsim_$version"-*.changes)
# debian/ is part of the tarball, and nobody packages it apart.
say "lintian"
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,bad-distribution-in-changes-file,no-debian-changes "$changes" >&2
ls -- *.deb
[ -n "$install" ] || exit 0

# --- Install, use, upgrade, purge ---
packages=$(for deb in *.deb; do dpkg-deb -f "$deb" Package; done | grep -v -- -dbgsym)
files=$(for package in $packages; do echo ./"$package"_*.deb; done)
for package in $packages; do
	if dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed; then
		say "$package is installed here already: what is there stays as it is, nothing tried"
		exit 77
	fi
done
purge() {
	# shellcheck disable=SC2086 # words are meant
	dpkg --purge $packages >>install.log 2>&1
}
trap purge EXIT
as_tests() {
	local test
	for test in demo c-example python-example; do
		[ -e "atomsim-$version/debian/tests/$test" ] || continue
		say "debian/tests/$test"
		AUTOPKGTEST_TMP=$(mktemp -d) "atomsim-$version/debian/tests/$test"
	done
}
export DEBIAN_FRONTEND=noninteractive
say "install"
# shellcheck disable=SC2086
apt-get -q -y --no-install-recommends install $files >install.log 2>&1 || { tail -n 20 install.log >&2; exit 1; }
as_tests
say "upgrade"
mkdir later
for deb in $files; do
	dpkg-deb -R "$deb" tree
	sed -i "s/$version-[0-9.]*/&+later/g" tree/DEBIAN/control
	dpkg-deb --root-owner-group -b tree later >>install.log
	rm -r tree
done
apt-get -q -y --no-install-recommends install ./later/*.deb >>install.log 2>&1 || { tail -n 20 install.log >&2; exit 1; }
dpkg-query -W -f '${Version}\n' atomsim | grep -q 'later$'
as_tests
say "purge"
trap - EXIT
purge
left=$(find /usr /etc /var -path /usr/local -prune -o \( -path '*/share/atomsim*' -o -name 'libatomsim*' -o -path '/var/*/atomsim*' \) -print)
[ -z "$left" ] || { say "left behind: $left"; exit 1; }

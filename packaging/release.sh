#!/bin/bash
# SPDX-License-Identifier: MIT
# What a release consists of, in a folder: the tarball with its own tests, the one that runs where it is unpacked, the
# changelog's section, checksums. All places that name the version must name the same; a release needs the tag vVERSION on a
# clean checkout, --draft does without.
# usage: release.sh [--draft] BUILD FOLDER
set -eu
draft=''
[ "${1:-}" != --draft ] || { draft=yes; shift; }
[ $# -eq 2 ] || { sed -n '3,6p' "$0" >&2; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd) build=$1 folder=$(realpath -m "$2")
variable() {
	sed -n "s/^$1 = //p" "$build/Makefile"
}
version=$(variable PACKAGE_VERSION)
fail() {
	echo "release.sh: $*" >&2
	exit 1
}

for tool in xz strip ldd; do
	command -v $tool >/dev/null || fail "needs $tool"
done

# same WHERE FOUND: that place names the version, too
same() {
	[ "$2" = "$version" ] || fail "$1 names version '$2'; configure.ac names '$version'"
}
same CHANGELOG.md "$(sed -nE 's/^## ([0-9.]+).*/\1/p' "$source/CHANGELOG.md" | head -n 1)"
same CITATION.cff "$(sed -n 's/^version: //p' "$source/CITATION.cff")"
same debian/changelog "$(sed -nE '1s/^atomsim \(([^)-]*)-.*/\1/p' "$source/debian/changelog")"
on=$(LC_ALL=C date -d "$(sed -n 's/^date-released: "\(.*\)"/\1/p' "$source/CITATION.cff")" '+%-d %B %Y')
grep -qxF "## $version ($on)" "$source/CHANGELOG.md" || fail "CITATION.cff is of $on, CHANGELOG.md names another day"
if [ -z "$draft" ]; then
	tag=$(git -C "$source" describe --exact-match --tags HEAD 2>/dev/null) || fail "HEAD has no tag; allowed: v$version"
	[ "$tag" = "v$version" ] || fail "HEAD has the tag '$tag'; configure.ac names v$version"
	[ -z "$(git -C "$source" status --porcelain)" ] || fail "the checkout has changes; a release is of a commit alone"
fi

mkdir -p "$folder"
make -s -C "$build" dist-xz
mv "$build/atomsim-$version.tar.xz" "$folder"
bash "$source/packaging/relocatable.sh" "$build" "$folder/atomsim-$version-linux-$(uname -m).tar.xz"
awk -v version="$version" '/^## / { on = index($2, version) == 1; next } on' "$source/CHANGELOG.md" >"$folder/CHANGES-$version.md"
(cd "$folder" && sha256sum -- *"$version"* >SHA256SUMS)
cat "$folder/SHA256SUMS"

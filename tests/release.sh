#!/bin/bash
# SPDX-License-Identifier: MIT
# A release as it is made: of a clone that has the tag, with the build of this checkout. What a release refuses it refuses. Part of
# .ci/run, whose other checks use the tarballs.
# usage: release.sh FOLDER    the release goes there
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
[ $# -eq 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
folder=$(realpath -m "$1") clone=$work/clone
unset MAKEFLAGS MAKELEVEL MFLAGS
if ! git clone -q "$SOURCE" "$clone" 2>"$work/said"; then
	skip "a release" "no checkout to clone"
	done_testing
	exit
fi
version=$(sed -n 's/^PACKAGE_VERSION = //p' "$BUILD/Makefile")
name=atomsim-$version
release() {
	bash "$clone/packaging/release.sh" "$BUILD" "$folder"
}
git_there() {
	git -C "$clone" -c user.name=test -c user.email=test@example.org -c tag.gpgSign=false -c commit.gpgSign=false "$@"
}

# refused NAME WORDS: no release now, for the reason that has these words, and no file
refused() {
	if release >"$work/said" 2>&1 || ! grep -qF -- "$2" "$work/said" || [ -e "$folder" ]; then
		not_ok "$1 is refused" "$work/said"
	else
		ok "$1 is refused"
	fi
}
git_there tag --list | xargs -r git -C "$clone" tag -d >/dev/null
refused "a commit without a tag" "allowed: v$version"
git_there tag v99.0
refused "a tag of another version" "HEAD has the tag 'v99.0'"
git_there tag -d v99.0 >/dev/null
git_there tag -a -m "$name" "v$version"
echo >>"$clone/README.md"
refused "a checkout with changes" "the checkout has changes"
git_there checkout -q README.md
sed -i "s/^## $version/## 98.0/" "$clone/CHANGELOG.md"
refused "a changelog of another version" "CHANGELOG.md names version '98.0'"
git_there checkout -q CHANGELOG.md
sed -i 's/^date-released: .*/date-released: "2001-02-03"/' "$clone/CITATION.cff"
refused "a day that is not the changelog's" "CITATION.cff is of 3 February 2001"
git_there checkout -q CITATION.cff
without_xz() {
	mkdir -p "$work/few"
	for tool in bash dirname realpath sed; do ln -sf "$(command -v $tool)" "$work/few/"; done
	PATH=$work/few release
}
if without_xz >"$work/said" 2>&1; then not_ok "no xz is said at once" "$work/said"; else check "no xz is said at once" grep -q "needs xz" "$work/said"; fi

make_calls_it() {
	make -s -n -C "$BUILD" release DRAFT=--draft | grep -F "packaging/release.sh --draft . release"
}
check "make release calls it" make_calls_it
check "a tagged commit is released" release
cd "$folder" || exit 99
here=$name-linux-$(uname -m).tar.xz
check "two tarballs, the changes, the checksums, and no other file" diff <(
	printf '%s\n' "CHANGES-$version.md" SHA256SUMS "$here" "$name.tar.xz" | LC_ALL=C sort
) <(LC_ALL=C ls)
check "the checksums are of all three" test "$(sha256sum -c SHA256SUMS 2>/dev/null | grep -c ': OK$')" -eq 3
check "the changes are this version's section" diff "CHANGES-$version.md" <(sed -n "/^## $version/,/^## /{/^## /d;p}" "$clone/CHANGELOG.md")
check "the section has text" test "$(grep -c . "CHANGES-$version.md")" -gt 5

# All that is tracked, but for what the repository alone has.
tar -tf "$name.tar.xz" | sed 's|^[^/]*/||' | LC_ALL=C sort >"$work/names"
git -C "$clone" ls-files | grep -vE '^(\.ci/|\.github/|\.gitignore$)' | LC_ALL=C sort | LC_ALL=C comm -23 - "$work/names" >"$work/lacking"
check "the tarball of sources has all that is tracked" diff /dev/null "$work/lacking"
done_testing

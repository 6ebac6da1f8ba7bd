#!/bin/bash
# SPDX-License-Identifier: MIT
# The tarball for machines without root, in a root of its own that has a shell and nothing else: no C library, no /proc of
# ours. Needs root for chroot, and busybox's static shell.
# usage: relocatable.sh TARBALL
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
unset ATOMSIM_CONFIG_PATH ATOMSIM_TRACE_PATH ATOMSIM_FORM_PATH MAKEFLAGS MAKELEVEL MFLAGS

[ $# -eq 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
tarball=$1
check "the tarball can be read" tar -tf "$tarball"
tar -tf "$tarball" >"$work/names"
check "it has the manual, and no page of a header that it has not" test \
	"$(grep -c 'share/man/man1/atomsim-run\.1$\|share/man/man5/atomsim-trace\.5$' "$work/names")$(grep -c man3 "$work/names")" = 20
busybox=$(command -v busybox) || busybox=''
if [ "$(id -u)" -ne 0 ] || [ -z "$busybox" ] || ldd "$busybox" >/dev/null 2>&1; then
	skip "in an empty root" "needs root and a static busybox"
	done_testing
	exit
fi
root=$work/root
mkdir -p "$root/bin" "$root/proc" "$root/tmp" "$root/opt/moved here"
cp "$busybox" "$root/bin/busybox"
for name in sh dirname readlink; do ln -s busybox "$root/bin/$name"; done
tar -xf "$tarball" --strip-components=1 -C "$root/opt/moved here"
mount -t proc proc "$root/proc" || { skip "in an empty root" "no /proc can be had"; done_testing; exit; }
trap 'umount "$root/proc"; rm -rf "$work"' EXIT
inside() {
	chroot "$root" "/opt/moved here/bin/atomsim" --config h200 --reproducible --format json transpose >"$work/out"
}
check "it runs by its path, and finds configs and traces" inside
ATOMSIM_CONFIG_PATH=$SOURCE/configs "$ATOMSIM" --config h200 --reproducible --format json "$SOURCE/traces/transpose.bin" >"$work/expected"
check "what it says is what the build says" cmp "$work/out" "$work/expected"
linked() {
	ln -sf "/opt/moved here/bin/atomsim" "$root/bin/atomsim"
	chroot "$root" /bin/atomsim --version
}
check "by a link it runs, too" linked
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# A tarball for machines without root, of whatever distribution: the program, the library, all libraries that they load
# (the C library and its loader, too), configs, traces and documents. Unpack it anywhere and run bin/atomsim.
# usage: relocatable.sh BUILD TARBALL    from a build folder of ./configure --prefix=/usr/local
set -eu
[ $# -eq 2 ] || { sed -n '3,5p' "$0" >&2; exit 2; }
build=$1 tarball=$(realpath -m "$2")
variable() {
	sed -n "s/^$1 = //p" "$build/Makefile"
}
if [ "$(variable libdir) $(variable datarootdir)" != "\${exec_prefix}/lib \${prefix}/share" ]; then
	echo "relocatable.sh: $build is configured with other folders than bin, lib and share" >&2
	exit 1
fi
name=$(basename "$tarball")
name=${name%.tar.*}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
make -s -C "$build" install DESTDIR="$temp/all"
mv "$temp/all$(variable prefix)" "$temp/$name"
cd "$temp/$name"
rm -rf lib/pkgconfig lib/libatomsim.la include share/man/man3

# The program lies with what it loads; its own place in lib/ leads it to share/ (base/installed.c).
mv bin/atomsim lib/atomsim
strip lib/atomsim lib/libatomsim.so.?.*
ldd lib/atomsim | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | while read -r file; do
	cp -L "$file" "lib/$(basename "$file")"
done
loader=$(basename "$(ldd lib/atomsim | awk '$1 ~ /^\// { print $1 }')")
cat >bin/atomsim <<END
#!/bin/sh
# Starts the program with the libraries that came with it.
here=\$(dirname -- "\$(readlink -f -- "\$0")")/..
exec "\$here/lib/$loader" --library-path "\$here/lib" --argv0 "\$0" "\$here/lib/atomsim" "\$@"
END
chmod +x bin/atomsim
cd "$temp"
# The same bytes for the same build.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -cJf "$tarball" "$name"

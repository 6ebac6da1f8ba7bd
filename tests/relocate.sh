#!/bin/bash
# SPDX-License-Identifier: MIT
# An installation that is not where configure was told: made elsewhere, moved, or staged. Its programs find its own configs
# and traces, and pkg-config its library.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

unset ATOMSIM_CONFIG_PATH ATOMSIM_TRACE_PATH ATOMSIM_FORM_PATH MAKEFLAGS MAKELEVEL MFLAGS
install_to() {
	make -s -C "$BUILD" "$@" install
}
variable() {
	sed -n "s/^$1 = //p" "$BUILD/Makefile"
}
configured=$(variable prefix)

# finds FOLDER NAME: from another folder, and by way of PATH, the programs there find files that no other installation has
finds() {
	local bin=$1/bin share=$1/share/atomsim
	cp -r "$share/configs/h200" "$share/configs/only-here"
	cp "$share/traces/transpose.bin" "$share/traces/only-here.bin"
	check "$2: a config and a trace by name" runs_at_home "$bin"
	PATH=$bin:$PATH atomsim --config nowhere transpose >"$work/out" 2>"$work/err"
	check "$2: first in its own folder, then where configure was told" \
		grep -qF "or in $share/configs, $configured/share/atomsim/configs;" "$work/err"
	PATH=$bin:$PATH atomsim capture -o t.bin -- true >"$work/out" 2>"$work/err"
	check "$2: what captures is found" test "$(grep -c 'no capture.sh' "$work/err")" -eq 0
	rm -r "$share/configs/only-here" "$share/traces/only-here.bin"
}
runs_at_home() {
	(cd / && PATH=$1:$PATH atomsim --config only-here --reproducible --format json only-here) |
		sed 's/only-here\.bin/transpose.bin/; s/only-here/h200/' | cmp - "$work/expected"
}
ATOMSIM_CONFIG_PATH=$SOURCE/configs ATOMSIM_TRACE_PATH=$SOURCE/traces "$ATOMSIM" --config h200 --reproducible \
	--format json transpose >"$work/expected"

# links FOLDER NAME: a program that is built with what pkg-config says of the library there runs, and finds its configs
cat >"$work/user.c" <<'END'
#include <atomsim.h>
#include <stdio.h>

int main(void)
{
	AtomsimError *error = NULL;
	AtomsimConfig *config = atomsim_config_load("h200", NULL, &error);

	puts(config ? "found" : atomsim_error_message(error));
	atomsim_config_free(config);
	atomsim_error_free(error);
	return config == NULL;
}
END
links() {
	local folder
	folder=$(dirname "$(find "$1" -name libatomsim.so)")
	if nm -D "$folder/libatomsim.so" | grep -q __asan; then
		skip "$2: pkg-config and the library" "a sanitized library"
		return
	fi
	check "$2: pkg-config and the library" linked "$folder"
}
linked() {
	local flags
	flags=$(PKG_CONFIG_PATH=$1/pkgconfig pkg-config --cflags --libs atomsim) || return 1
	eval "\${CC:-cc} -o \"\$work/user\" \"\$work/user.c\" $flags" &&
		(cd / && LD_LIBRARY_PATH=$1 "$work/user")
}

other=$work/other
check "make install prefix=..., after configure with another" install_to prefix="$other"
finds "$other" "another prefix"
links "$other" "another prefix"
check "the manual is installed" test -s "$other/share/man/man1/atomsim-run.1" -a -s "$other/share/man/man5/atomsim-config.5" \
	-a -s "$other/share/man/man3/atomsim.h.3"

moved=$work/moved
mv "$other" "$moved"
finds "$moved" "moved"
links "$moved" "moved"

ln -s "$moved/bin/atomsim" "$work/link"
check "by a link, from elsewhere" test "$("$work/link" list configs | grep -c h200.json)" -eq 1
mkdir "$work/mine"
echo '{"name": "mine"}' >"$work/mine/h200.json"
ATOMSIM_CONFIG_PATH=$work/mine "$moved/bin/atomsim" config --config h200 >"$work/out"
check "the folders of ATOMSIM_CONFIG_PATH come first" grep -q '"name":.*"mine"' "$work/out"

mkdir "$work/lone"
cp "$moved/bin/atomsim" "$work/lone/atomsim"
"$work/lone/atomsim" --config nowhere transpose 2>"$work/err"
check "a program that does not lie as installed looks where configure was told" \
	grep -qF "here or in $configured/share/atomsim/configs;" "$work/err"

image=$work/image
check "make install DESTDIR=..." install_to DESTDIR="$image"
finds "$image$configured" "staged"
links "$image$configured" "staged"
done_testing

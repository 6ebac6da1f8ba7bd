#!/bin/bash
# SPDX-License-Identifier: MIT
# The Python module: its tests, the examples of its page, the notebook, as installed, and as a wheel on a machine without atomsim.
# usage: python.sh [--update]    rewrites what the page's examples print
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

python=${PYTHON:-python3}
page=$SOURCE/docs/guide/python.md
# make's own flags (-n, -j with its pipe) are not for the makes below.
unset MAKEFLAGS MAKELEVEL MFLAGS

if ! command -v "$python" >/dev/null || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))'; then
	skip "the Python module" "no python3 of 3.9 or later"
	done_testing
	exit
fi
library=$BUILD/.libs/libatomsim.so.0
if nm -D "$library" | grep -qE '__(asan|tsan)'; then
	skip "the Python module" "a sanitized library"
	done_testing
	exit
fi

# in_checkout COMMAND...: with the module of the checkout and the library of the build
in_checkout() {
	env ATOMSIM_LIBRARY="$library" PYTHONPATH="$SOURCE/python" PYTHONDONTWRITEBYTECODE=1 "$@"
}
cd "$work" || exit 99
if [ "${1:-}" = --update ]; then
	in_checkout "$python" "$SOURCE/tests/python/pages.py" "$page" --update
	exit
fi
in_checkout "$python" "$SOURCE/tests/python/tap.py" "$SOURCE/tests/python" >units
cp units units.log
while IFS= read -r line; do
	case $line in
	"ok "*SKIP*) skip "${line#ok * - }" "${line##*SKIP }" ;;
	"ok "*) ok "${line#ok * - }" ;;
	"not ok "*) not_ok "${line#not ok * - }" units.log ;;
	esac
done <units
check "its tests have run" grep -q '^ok 20 ' units
check "the page's examples print what it says" in_checkout "$python" "$SOURCE/tests/python/pages.py" "$page"
check "the notebook runs" in_checkout "$python" "$SOURCE/tests/python/pages.py" "$SOURCE/docs/lessons/contention.ipynb"

# clean COMMAND...: as on a machine that knows nothing of the checkout
clean() {
	env -i PATH="$PATH" HOME="$work" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 "$@"
}
ask='import atomsim; print(atomsim.run("weighted", "h200").json, end="")'
"$ATOMSIM" --config h200 --reproducible --format json weighted >expected

if [ "$BUILD" -ef "$SOURCE" ] || [ "$BUILD/.." -ef "$SOURCE" ]; then
	check "in a checkout it finds machines and traces by itself" diff expected <(
		clean ATOMSIM_LIBRARY="$library" PYTHONPATH="$SOURCE/python" "$python" -c "$ask"
	)
else
	skip "in a checkout it finds machines and traces by itself" "built elsewhere"
fi
if [ -s "$BUILD/python/_where.py" ]; then
	check "the module installs" make -s -C "$BUILD" DESTDIR="$work/dest" install
	package=$(find dest -name _where.py)
	moved=$work/moved
	mv dest "$moved"
	check "installed and moved it finds library, machines and traces" diff expected <(
		cd / && clean env PYTHONPATH="$moved/${package#dest/}/../.." "$python" -c "$ask"
	)
else
	skip "the module installs" "configured without Python"
fi
if [ -s "$BUILD/python/_where.py" ] && command -v ldd >/dev/null; then
	check "make makes a wheel" make -s -C "$BUILD" wheel WHEEL_DIR="$work"
	if "$python" -m pip --version >/dev/null 2>&1; then
		check "pip installs it" clean "$python" -m pip -q install --no-index --no-deps --target "$work/site" "$work"/*.whl
	else
		check "it unpacks" "$python" -m zipfile -e "$work"/*.whl "$work/site"
	fi
	check "it needs nothing else" diff expected <(cd / && clean env PYTHONPATH="$work/site" "$python" -c "$ask")
	check "its RECORD is right" "$python" "$SOURCE/tests/python/record.py" "$work"/*.whl
else
	skip "make makes a wheel" "configured without Python, or no ldd"
fi
done_testing

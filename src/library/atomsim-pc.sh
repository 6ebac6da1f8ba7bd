#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints atomsim.pc, which pkg-config reads. It names all places from where it lies itself, so that an installation can be
# moved or made elsewhere than configured; those that are not below the prefix stay as they are.
# usage: atomsim-pc.sh PREFIX LIBDIR INCLUDEDIR VERSION MODULES
# shellcheck disable=SC2016 # what is in ${} is for pkg-config
set -eu
prefix=$1

# below FOLDER: from the prefix on
below() {
	case $1 in
	"$prefix"/*) printf '${prefix}/%s\n' "${1#"$prefix"/}" ;;
	*) printf '%s\n' "$1" ;;
	esac
}

# As many folders up as LIBDIR/pkgconfig is below the prefix.
case $2 in
"$prefix"/*) up='${pcfiledir}/../'$(printf '%s\n' "${2#"$prefix"/}" | sed 's|[^/][^/]*|..|g') ;;
*) up=$prefix ;;
esac

cat <<END
prefix=$up
libdir=$(below "$2")
includedir=$(below "$3")

Name: atomsim
Description: Simulator of GPU shared memory and its atomics
Version: $4
Requires.private: $5
Libs: -L\${libdir} -latomsim
Libs.private: -lm
Cflags: -I\${includedir}
END

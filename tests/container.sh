#!/bin/bash
# SPDX-License-Identifier: MIT
# The Containerfile: built where podman, buildah or docker is, else its steps run in roots of their own, made by debootstrap. Minutes, so
# not part of `make check`; .ci/run has its last stage, with packages that are there already.
# usage: container.sh [PACKAGES]    a folder of packages, in place of what the stages before the last one make
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
packages=''
if [ $# -gt 0 ]; then
	packages=$work/packages
	mkdir "$packages" && cp "$1"/atomsim_*.deb "$1"/atomsim-data_*.deb "$packages" || exit 99
fi
file=$SOURCE/Containerfile

# said NAME COMMAND...: what `atomsim --config h200 transpose` prints by that command is what the build prints
said() {
	local name=$1
	shift
	if "$@" --config h200 --reproducible --format json transpose >"$work/out" 2>"$work/said" && cmp "$work/out" "$work/expected" >>"$work/said"; then
		ok "$name"
	else
		not_ok "$name" "$work/said"
	fi
}
"$ATOMSIM" --config h200 --reproducible --format json "$SOURCE/traces/transpose.bin" >"$work/expected"

if [ -z "$packages" ]; then
	for builder in podman buildah docker; do
		if ! $builder info >/dev/null 2>&1; then continue; fi
		check "$builder builds it" $builder build -t atomsim-test "$SOURCE"
		[ $builder = buildah ] || said "it runs in a container" $builder run --rm atomsim-test
		done_testing
		exit
	done
fi
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
	skip "the steps of the Containerfile" "no podman, buildah or docker, and not root with debootstrap"
	done_testing
	exit
fi

# Stages by their numbers: a root, where its commands run; names that COPY --from may have.
declare -A number_of
root='' folder=/ n_stages=0 n_all=$(grep -c '^FROM ' "$file")
end() {
	local each
	for each in "$work"/stage-*; do
		mountpoint -q "$each/proc" && umount "$each/proc"
	done
	rm -rf "$work"
}
trap end EXIT

# The one that this machine has its own packages from.
# shellcheck disable=SC2016 # apt's variable
mirror() {
	apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/$' || echo http://deb.debian.org/debian
}

# start SUITE: a root for the next stage, of a system as small as the image
start() {
	root=$work/stage-$n_stages folder=/
	if [ -d "$work/system" ]; then
		cp -a "$work/system" "$root"
	else
		debootstrap --variant=minbase "$1" "$root" "$(mirror)" || return 1
		[ -n "$packages" ] || cp -a "$root" "$work/system"
	fi
	cp /etc/resolv.conf "$root/etc/"
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
	mount -t proc proc "$root/proc"
}
inside() {
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive sh -c "cd '$folder' && $1"
}
# copy FROM TO: from the checkout all that is tracked, from another stage a folder
copy() {
	mkdir -p "$root$2"
	if [ "$1" = . ]; then
		git -C "$SOURCE" ls-files -z | tar -C "$SOURCE" -c --null -T - | tar -x -C "$root$2"
	else
		cp -r "$1/." "$root$2"
	fi
}

while read -r word rest <&3; do
	# With packages at hand only the last stage is of interest.
	if [ "$word" != FROM ] && [ -n "$packages" ] && [ $n_stages -lt "$n_all" ]; then continue; fi
	case $word in
	'' | '#'*) ;;
	FROM)
		n_stages=$((n_stages + 1))
		read -r image _ name <<<"$rest"
		[ -z "$name" ] || number_of[$name]=$n_stages
		[ -z "$packages" ] || [ $n_stages -eq "$n_all" ] || continue
		case $image in
		debian:12-slim)
			if ! start bookworm >"$work/said" 2>&1; then
				sed 's/^/# /' "$work/said" | tail -n 5
				skip "the steps of the Containerfile" "no Debian from $(mirror), or no /proc"
				done_testing
				exit
			fi
			;;
		*) not_ok "$word $rest: a system that this test does not know" ;;
		esac
		;;
	WORKDIR) folder=$rest ;;
	RUN) check "$word $rest" inside "$rest" ;;
	COPY)
		read -r -a paths <<<"$rest"
		if [[ ${paths[0]} == --from=* ]]; then
			check "$word $rest" copy "${packages:-$work/stage-${number_of[${paths[0]#--from=}]}${paths[1]}}" "${paths[2]}"
		else
			check "$word $rest" copy "${paths[@]}"
		fi
		;;
	ENTRYPOINT) mapfile -t entry < <(tr -d '[]" ' <<<"$rest" | tr ',' '\n') ;;
	CMD) mapfile -t command < <(tr -d '[]" ' <<<"$rest" | tr ',' '\n') ;;
	*) not_ok "$word: an instruction that this test does not know" ;;
	esac
done 3<"$file"
check "all stages were reached" test $n_stages -eq 2 -a "$n_all" -eq 2
check "without arguments it prints its help" chroot "$root" "${entry[@]}" "${command[@]}"
said "it runs" chroot "$root" "${entry[@]}"
done_testing

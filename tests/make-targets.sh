#!/bin/bash
# SPDX-License-Identifier: MIT
# Each `make` that a page names does what it says when it is typed in the folder of the sources: it says where the build is
# (make -C build check), unless a command before it on the same lines went there, and there is such a target.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$SOURCE" || exit 99

# commands FILE: "LINE: COMMAND" of each make in code of the page: those of a block with what stands before them in it, joined
# by &&. What a code span says may go on in the next line.
commands() {
	awk '
		/^ *```/ { fenced = !fenced; before = ""; next }
		fenced {
			if (!sub(/^ *\$ /, ""))
				next
			sub(/ +# .*/, "")
			before = before (before == "" ? "" : " && ") $0
			if ($0 ~ /(^|&& *)make/)
				print FNR ": " before
			next
		}
		{ text = text FNR "\001" $0 "\n" }
		END {
			n = split(text, span, "`")
			for (i = 1; i <= n; i++) {
				where = span[i]
				while (match(where, /[0-9]+\001/)) {
					line = substr(where, RSTART, RLENGTH - 1)
					where = substr(where, RSTART + RLENGTH)
				}
				if (i % 2 == 0 && span[i] ~ /^make /) {
					gsub(/\n[0-9]+\001/, " ", span[i])
					print line ": " span[i]
				}
			}
		}' "$1"
}

# judge COMMAND: says what is wrong with it
judge() {
	local folder=. part word words
	while IFS= read -r part; do
		read -ra words <<<"$part"
		case ${words[0]:-} in
		cd | mkdir) [ "${words[0]}" = mkdir ] || folder=${words[1]} ;;
		../configure | ./configure) [ "$folder" = build ] || folder=build ;;
		make) judge_make "${words[@]:1}" ;;
		esac
	done <<<"${1//&&/$'\n'}"
}
judge_make() {
	local in=$folder makefile targets=()
	while [ $# -gt 0 ]; do
		case $1 in
		-C)
			in=$2
			shift
			;;
		-* | *=*) ;;
		*) targets+=("$1") ;;
		esac
		shift
	done
	makefile=$in/Makefile
	[ "$in" != build ] || makefile=$BUILD/Makefile
	if [ "$in" = . ] || [ ! -e "$makefile" ]; then
		echo "no Makefile there; allowed: make -C build ${targets[*]}"
		return
	fi
	for word in "${targets[@]}"; do
		grep -qE "^([^:=#	]* )?$word( [^:=]*)?:" "$makefile" || echo "$makefile has no target $word"
	done
}

n=0
mapfile -t pages < <(find . -name '*.md' ! -path './build*' ! -path './.git/*' | sort)
for page in "${pages[@]}"; do
	while IFS= read -r found; do
		n=$((n + 1))
		judge "${found#*: }" | sed "s|^|${page#./}:${found%%: *}: ${found#*: }: |"
	done < <(commands "$page")
done >"$work/wrong"
check "every make in a page works from the folder of the sources" test ! -s "$work/wrong"
[ ! -s "$work/wrong" ] || sed 's/^/# /' "$work/wrong"
check "there are some: $n" test "$n" -gt 30
done_testing

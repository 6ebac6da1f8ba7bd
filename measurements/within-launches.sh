# SPDX-License-Identifier: MIT
# What within.sh and sample.sh source: launches that are generated, and runs of them. ATOMSIM is the program.
# shellcheck shell=bash
atomsim=${ATOMSIM-atomsim}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# half_of NAME: of two halves of the generated launches, the one that the SHA-256 of a launch's name says
half_of() {
	[[ $(printf %s "$1" | sha256sum) == [0-7]* ]] && echo developed || echo held-out
}

# make_trace WORD...: the trace of a row; a list of numbers has dots in it.
make_trace() {
	local words=() word text
	for word in "$@"; do
		[[ $word == IMAGE ]] && word=$here/../traces/images/camera-128.pgm
		[[ $word =~ ^[0-9]+(\.[0-9]+)+$ ]] && word=${word//./ }
		words+=("$word")
	done
	set -- "${words[@]}"
	case $1 in
	gen) "$atomsim" "$@" -o "$work/trace.bin" ;;
	assemble)
		text=$2
		shift 2
		"$atomsim" trace assemble "${@/#/--set=}" -o "$work/trace.bin" "$here/within/$text"
		;;
	*) cp "$here/../traces/$1.bin" "$work/trace.bin" ;;
	esac 2>"$work/errors" || {
		cat "$work/errors" >&2
		return 1
	}
}

# value FILE KEY
value() {
	grep -oE "\"$2\":[^,}]*" "$1" | sed '1s/^[^:]*://; s/"//g; 1q'
}

# instructions REPORT: of all warps
instructions() {
	grep -oE '"warps":[0-9]+,"warp_instructions":[0-9]+' "$1" | sed 's/.*://'
}

# simulate TRACE REPORT CONFIG SETTINGS OPTION...: prints the CPU seconds that it took; $seconds, if that is set, may pass at most.
simulate() {
	local trace=$1 report=$2 config=$3 settings=() TIMEFORMAT=%U
	read -r -a settings <<<"$4"
	shift 4
	{ time timeout "${seconds-0}" "$atomsim" run --config "$config" "${settings[@]/#/--set=}" --format json --no-baseline \
		--causes=no --reproducible --jobs 1 "$@" "$trace" >"$report" 2>"$work/errors"; } 2>&1 || {
		cat "$work/errors" >&2
		return 1
	}
}

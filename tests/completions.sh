#!/bin/bash
# SPDX-License-Identifier: MIT
# What shells complete words to: the program's own words, in bash, zsh and fish.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
furnish "$work/furnished"
cd "$work/furnished" || exit 99
PATH=$PWD/.bin:$PATH

# by_SHELL LINE: what its last word can become, a line each
by_bash() {
	(
		# shellcheck source=completions/atomsim
		. "$SOURCE/completions/atomsim"
		COMP_LINE=$1 COMP_POINT=${#1}
		_atomsim
		# Bash completes what is behind the =.
		[[ ${1##* } != *=* ]] || printf -v before '%s=' "${1%"=${1##*=}"}"
		before=${before##* }
		for word in "${COMPREPLY[@]}"; do echo "${before:-}$word"; done
	)
}

by_zsh() {
	# shellcheck disable=SC2016 # zsh expands
	zsh -f -c '
		compadd() { while [ "$1" != -- ]; do shift; done; shift; print -l -- "$@"; }
		_files() { :; }
		words=(${(z)1}); [[ $1 != *" " ]] || words+=(""); CURRENT=${#words}
		source "$2"' zsh "$1" "$SOURCE/completions/_atomsim"
}

by_fish() {
	# shellcheck disable=SC2016 # fish expands
	HOME=$work fish --no-config -c 'source $argv[2]; complete -C $argv[1]' "$1" "$SOURCE/completions/atomsim.fish" |
		cut -f 1 | grep -v '/$' # folders are offered besides
}

# completes SHELL LINE EXPECTED...: exactly to these
completes() {
	local shell=$1 line=$2
	shift 2
	diff -u <(printf '%s\n' "$@" | sort) <("by_$shell" "$line" | sort)
}

# offers SHELL LINE EXPECTED...: to these, among others
offers() {
	local shell=$1 line=$2
	shift 2
	diff -u <(printf '%s\n' "$@" | sort) <("by_$shell" "$line" | sort | grep -xF "$(printf '%s\n' "$@")")
}

mapfile -t commands < <(atomsim --help | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p')
check "--help lists commands" test ${#commands[@]} -ge 15
for shell in bash zsh fish; do
	if ! command -v "$shell" >/dev/null; then
		skip "$shell completes words" "no $shell"
		continue
	fi
	check "$shell offers every command" offers $shell "atomsim " "${commands[@]}"
	check "$shell ends a command" completes $shell "atomsim li" list
	check "$shell offers a command's options" completes $shell "atomsim model --addr" --addresses --addresses-file
	check "$shell offers options of the main job without a command" completes $shell "atomsim --plo" --plot
	check "$shell offers formats" completes $shell "atomsim list --format j" json
	check "$shell offers tables" completes $shell "atomsim list sche" schedulers schemas
	check "$shell offers configs" completes $shell "atomsim run --config fe" fermi
	check "$shell offers configs as a base" completes $shell "atomsim table --base fe" fermi
	check "$shell offers designs" completes $shell "atomsim run --config designs/fi" designs/fifo
	check "$shell offers traces" completes $shell "atomsim run --config fermi transp" transpose transpose-padded
	check "$shell offers keys" completes $shell "atomsim run --set sm.cou" sm.count=
	check "$shell offers values of a key" completes $shell "atomsim run --set atomic.mechanism=lo" atomic.mechanism=lock-bits
	check "$shell offers hashes of a key" completes $shell "atomsim sweep --vary atomic.lock_hash=ip" atomic.lock_hash=ipoly
	check "$shell offers hashes" completes $shell "atomsim list --hash ipo" ipoly
	check "$shell offers keys to fit" completes $shell "atomsim calibrate --fit sm.count,sm.max_w" sm.count,sm.max_warps
	check "$shell offers columns" completes $shell "atomsim run --columns cycles,time_" cycles,time_us
	check "$shell offers what-ifs" completes $shell "atomsim run --what-if repl" replicate=
	check "$shell offers targets" completes $shell "atomsim search --target b" bank both
	check "$shell offers operations" completes $shell "atomsim explain --operation ex" exch
	check "$shell offers colors" completes $shell "atomsim run --color al" always
	check "$shell offers schemas" completes $shell "atomsim list --schema adv" advise
	check "$shell offers workloads" completes $shell "atomsim gen hist" histogram
	check "$shell offers a workload's options" completes $shell "atomsim gen voting --map" --mapping
	check "$shell offers a workload's values" completes $shell "atomsim gen voting --mapping cy" cyclic
	check "$shell offers what can be done with a trace" completes $shell "atomsim trace ch" check
	check "$shell offers options of that" completes $shell "atomsim trace info --for" --format --force
done

# Options that --help shows are those that are completed, for each command.
for command in "${commands[@]}"; do
	check "options of $command are complete" diff -u \
		<(atomsim "$command" --help | sed -nE 's/^  +(-[a-z], )?(--[a-z-]+).*/\2/p' | sort -u) \
		<(atomsim --complete "$command" -- 2>/dev/null | cut -f 1 | sort -u)
done
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# The help of every command: 80 columns, options in groups, two examples at its end that work.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
folder=$work/folder
furnish "$folder"
PATH=$folder/.bin:$PATH
cd "$folder" || exit 99
# An example shows its pages with less, which small systems do not have.
command -v less >/dev/null || ln -s "$(command -v cat)" "$folder/.bin/less"

# What examples read: files as the pages of their commands make them.
prepare() {
	perl -e 'print "\x93NUMPY\x01\x00" . pack("v", 118) . sprintf("%-117s\n", "{\x27descr\x27: \x27<i4\x27, \x27fortran_order\x27: False, \x27shape\x27: (4,)}") . pack("l<4", 3, 3, 5, -1)' >indices.npy
	atomsim --config fermi --format json transpose >before.json
	cp before.json after.json
	# shellcheck disable=SC2016 # a parameter of the text, not of the shell
	printf '%s\n' 'param warps 1 .. 8 = 1' 'shared 256; warps $warps' 'v = lds 4 at $lane * 4' >program.trace
	atomsim sweep --config fermi --vary atomic.locks=64,128 --shard 1/2 -o out/shard-1 weighted
	atomsim sweep --config fermi --vary atomic.locks=64,128 --shard 2/2 -o out/shard-2 weighted
	cp -r out/shard-1 shard-0
	cp -r out/shard-2 shard-1
} >/dev/null 2>&1

# What needs a GPU, its files, or a folder of measurements.
needs_gpu='^atomsim (capture|measure|verify|derive) | my-gpu|\.traceg|kernelslist'

commands=$(atomsim --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
mapfile -t all < <(
	echo
	echo "$commands"
	for name in info check dump import pack assemble; do echo "trace $name"; done
	echo "sweep merge"
)
n_run=0
for name in "${all[@]}"; do
	# shellcheck disable=SC2086 # a name may have two words
	atomsim $name --help >help
	check "atomsim $name --help fits 80 columns" awk 'length > 80 { print; wrong = 1 } END { exit wrong }' help
	sed -n '/^Examples:$/,$p' help | sed -e 1d -e 's/^  //' | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' >examples
	check "atomsim $name --help ends with two examples" test "$(grep -c "^atomsim" examples)$(grep -vc "^atomsim" examples)" = 20
	# shellcheck disable=SC2086
	check "atomsim help $name is the same" diff help <(atomsim help $name)
	check "atomsim $name --help says what its exit status means" grep -q "^Exit status: 0 success; 1 failure" help
	check "atomsim $name --help has no group of more than 20 options" awk '
		/:$/ { n = 0 } /^  -/ && ++n > 20 { wrong = 1 } END { exit wrong }' help
	while IFS= read -r example; do
		[[ ! $example =~ $needs_gpu ]] || continue
		rm -rf run
		mkdir run
		ln -s ../configs ../traces ../measurements ../out ../shard-0 ../shard-1 run/
		[ -f before.json ] || prepare
		cp before.json after.json program.trace indices.* run/
		check "$example" bash -c "cd run && $example"
		n_run=$((n_run + 1))
	done <examples
done
for name in $(atomsim list workloads | awk 'NR > 1 && $1 { print $1 }'); do
	atomsim gen "$name" --help >help
	check "atomsim gen $name --help fits 80 columns" awk 'length > 80 { print; wrong = 1 } END { exit wrong }' help
	check "atomsim gen $name --help has the options of all that write" grep -q "^  -o, --output=FILE  *Write the trace to FILE$" help
done
check "examples were run: $n_run" test "$n_run" -gt 25
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/reference/trace-format.md against the program: its example, and a second reader written from it.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

spec=$SOURCE/docs/reference/trace-format.md

# fenced LANGUAGE N: the text of the Nth part between ```LANGUAGE and ```.
fenced() {
	awk -v start="\`\`\`$1" -v wanted="$2" '$0 == "```" { on = 0 } on { print }
		$0 == start && ++n == wanted { on = 1 }' "$spec"
}

# Each example's bytes, as printf understands them.
for version in 1 2 3; do
	hex=$(fenced hex $version | sed 's/#.*//' | tr -s ' \n' ' ')
	for byte in $hex; do
		printf '%b' "\\x$byte"
	done >"$work/example-$version.bin"
	check "the specification's example of version $version is a good trace" \
		"$ATOMSIM" trace check "$work/example-$version.bin"
	"$ATOMSIM" trace dump "$work/example-$version.bin" >"$work/example.txt" 2>&1
	check "the records of version $version are those that the specification shows" \
		diff -u <(fenced dump $version) "$work/example.txt"
done
"$ATOMSIM" trace dump --dataflow "$work/example-2.bin" >"$work/example.txt" 2>&1
check "so is the data flow" diff -u <(fenced dataflow 1) "$work/example.txt"

"$ATOMSIM" gen voting --words 256 --blocks 3 --warps 2 --steps 100 --kernel full --seed 5 \
	-o "$work/voting.bin"
"$ATOMSIM" gen reduction --elements 4608 --tile 64 --dataflow yes -o "$work/reduction.bin"
cp "$SOURCE/tests/fuzz/corpus-trace/"all-kinds*.bin "$work"
for trace in example-1 example-2 example-3 all-kinds all-kinds-2 voting reduction; do
	name="a second reader, written from the specification, agrees on $trace.bin"
	if ! python3 -c 'import json' 2>/dev/null || ! zstd --version >/dev/null 2>&1; then
		skip "$name" "no python3 or no zstd program"
		continue
	fi
	python3 "$SOURCE/tests/trace-reader.py" "$work/$trace.bin" >"$work/theirs" 2>&1
	{
		"$ATOMSIM" trace dump "$work/$trace.bin"
		"$ATOMSIM" trace dump --dataflow "$work/$trace.bin"
	} >"$work/ours" 2>&1
	check "$name" diff -u "$work/ours" "$work/theirs"
done
done_testing

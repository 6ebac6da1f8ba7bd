#!/bin/sh
# SPDX-License-Identifier: MIT
# nvcc, for tests without one: its sources are shell scripts, which it copies. What it was asked for goes to asked-nvcc.
asked=''
for word; do
	if [ "$word" = --version ]; then
		echo "Cuda compilation tools, release 12.3, V12.3.45"
		exit 0
	fi
	# Names without their folders, which may have spaces.
	[ "${before-}" != -o ] || target=$word
	asked="$asked ${word##*/}"
	before=$word
done
echo "${asked# }" >>asked-nvcc
if grep -q '^#error' "$word"; then
	echo "$(basename "$word")(1): error: this GPU has no such instruction" >&2
	exit 2
fi
cp "$word" "$target" && chmod +x "$target"

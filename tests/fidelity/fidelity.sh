#!/bin/bash
# SPDX-License-Identifier: MIT
# `make fidelity`: a million random patterns by the engine and by Algorithm 1, every experiment of
# plots/ anew, the table of claims, and whether the figures in plots/ are what the model says today.
# usage: fidelity.sh FOLDER     with ATOMSIM, PATTERNS, ENGINE, SOURCE, ATOMSIM_CONFIG_PATH set
set -eu -o pipefail
out=$1
failed=0

bash "$SOURCE/plots/all.sh" "$out"
"$ENGINE" 1000000 >"$out/engine.csv" || failed=1
"$ATOMSIM" validate --config fermi.json --format json "$SOURCE/measurements/gtx580/published.csv" |
	sed -nE 's/^\t"(median|max)_relative_error":\t([0-9.e+-]+),?$/\1,\2/p' |
	sed 's/^max/worst/' | sort -r >"$out/validate.csv"

bash "$SOURCE/tests/fidelity/claims.sh" "$out" | tee "$out/claims.md" || failed=1

# The image of a user's own choice gives other figures than the shipped ones.
[ -z "${IMAGE:-}" ] || exit $failed
for file in "$SOURCE"/plots/*.csv; do
	[ "$(basename "$file")" != plane.csv ] || continue # make plane
	cmp -s "$file" "$out/$(basename "$file")" && continue
	echo "$(basename "$file"): not what the model says today; if that is meant: make figures" >&2
	failed=1
done
exit $failed

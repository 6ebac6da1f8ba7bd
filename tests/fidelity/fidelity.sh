#!/bin/bash
# SPDX-License-Identifier: MIT
# `make fidelity`: every experiment of plots/, a million random patterns by the engine and by Algorithm 1 among
# them, the table of claims, and whether what is in plots/ is what the model says today.
# usage: fidelity.sh FOLDER     with ATOMSIM, PATTERNS, ENGINE, SOURCE, ATOMSIM_CONFIG_PATH set
set -eu -o pipefail
out=$1
failed=0

bash "$SOURCE/plots/all.sh" "$out"
bash "$SOURCE/tests/fidelity/claims.sh" "$out" | tee "$out/claims.md" || failed=1

# The image of a user's own choice gives other figures than the shipped ones.
[ -z "${IMAGE:-}" ] || exit $failed
for file in "$SOURCE"/plots/*.csv "$SOURCE/plots/claims.md"; do
	case $(basename "$file") in
	plane.csv | accuracy.csv) continue ;; # make plane, make accuracy
	esac
	cmp -s "$file" "$out/$(basename "$file")" && continue
	echo "$(basename "$file"): not what the model says today; if that is meant: make figures" >&2
	failed=1
done
exit $failed

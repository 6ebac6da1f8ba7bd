# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# For benchmarks: two commands timed in turn, so that a machine whose speed drifts slows both.

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A copy of the program: a build beside the benchmark removes the one that it makes anew, and then the
# command that is being timed is gone.
cp "$ATOMSIM" "$folder/atomsim" || exit 1
ATOMSIM=$folder/atomsim

# As bash's TIMEFORMAT has it; for whoever includes this.
# shellcheck disable=SC2034
processor='%U %S' wall='%R'

repeat() { # N COMMAND...
	local n=$1
	shift
	for ((i = 0; i < n; i++)); do "$@" || return 1; done
}

# seconds FORMAT N COMMAND...: of one run, from N runs one after the other. Where a run fails: fails, and says
# which command and its last words.
seconds() {
	local TIMEFORMAT=$1 n=$2
	shift 2
	if ! { time repeat "$n" "$@" >/dev/null 2>"$folder/said"; } 2>"$folder/time"; then
		echo "bench: failed: ${*@Q}: $(tail -n 1 "$folder/said")" >&2
		return 1
	fi
	awk -v n="$n" '{ for (i = 1; i <= NF; i++) sum += $i } END { printf "%.5f\n", sum / n }' "$folder/time"
}

# median NUMBER...
median() {
	printf '%s\n' "$@" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# pairs TURNS FORMAT N "COMMAND A" "COMMAND B": median seconds of A and of B, and median of A / B pair by
# pair. The commands are quoted as for a shell. Fails if one of them does.
pairs() {
	local turns=$1 format=$2 n=$3 a=() b=() ratios=() first second
	eval "first=($4) second=($5)"
	for ((turn = 0; turn < turns; turn++)); do
		a[turn]=$(seconds "$format" "$n" "${first[@]}") || return 1
		b[turn]=$(seconds "$format" "$n" "${second[@]}") || return 1
		ratios[turn]=$(awk -v a="${a[turn]}" -v b="${b[turn]}" 'BEGIN { printf "%.4f", (b > 0 ? a / b : 0) }')
	done
	echo "$(median "${a[@]}") $(median "${b[@]}") $(median "${ratios[@]}")"
}

# built COMMIT FOLDER: builds that commit's atomsim once and prints where it is; fails if it cannot.
built() {
	local commit=$1 at=$2
	if [ ! -x "$at/build/atomsim" ]; then
		git -C "$SOURCE" cat-file -e "$commit^{commit}" 2>/dev/null || return 1
		mkdir -p "$at/build"
		git -C "$SOURCE" archive "$commit" | tar -x -C "$at" || return 1
		(cd "$at" && autoreconf -i && cd build && ../configure && make -j "$(nproc)" atomsim) >"$at/log" 2>&1 ||
			return 1
	fi
	echo "$at/build/atomsim"
}

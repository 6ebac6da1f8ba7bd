# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# For benchmarks: two commands timed in turn, so that a machine whose speed drifts slows both.

# seconds COMMAND...: processor time of one run, children included.
seconds() {
	local TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ printf "%.3f\n", $1 + $2 }'
}

# median NUMBER...
median() {
	printf '%s\n' "$@" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# pairs N "COMMAND A" "COMMAND B": median seconds of A and of B, and median of A / B pair by pair.
pairs() {
	local n=$1 a=() b=() ratios=() first second
	read -ra first <<<"$2"
	read -ra second <<<"$3"
	if ! "${first[@]}" >/dev/null 2>&1 || ! "${second[@]}" >/dev/null 2>&1; then
		echo "- - failed"
		return
	fi
	for ((i = 0; i < n; i++)); do
		a+=("$(seconds "${first[@]}")")
		b+=("$(seconds "${second[@]}")")
		ratios+=("$(awk -v a="${a[i]}" -v b="${b[i]}" 'BEGIN { printf "%.3f", (b > 0 ? a / b : 0) }')")
	done
	echo "$(median "${a[@]}") $(median "${b[@]}") $(median "${ratios[@]}")"
}

# built COMMIT FOLDER: builds that commit's atomsim once and prints where it is; fails if it cannot.
built() {
	local commit=$1 folder=$2
	if [ ! -x "$folder/build/atomsim" ]; then
		git -C "$SOURCE" cat-file -e "$commit^{commit}" 2>/dev/null || return 1
		mkdir -p "$folder/build"
		git -C "$SOURCE" archive "$commit" | tar -x -C "$folder" || return 1
		(cd "$folder" && autoreconf -i && cd build && ../configure && make atomsim) >"$folder/log" 2>&1 ||
			return 1
	fi
	echo "$folder/build/atomsim"
}

#!/bin/bash
# SPDX-License-Identifier: MIT
# What was published of four GPUs, each claim a named check against the CSV files of plots/all.sh. Prints a
# table a GPU; fails if a verdict is another than expected: a claim that turned false, or a known gap
# that closed, whose reason is then to be taken out here.
# usage: claims.sh FOLDER [GPU]...   with the files of plots/all.sh; of a100, gtx1080, hd5870 and combined, which may be asked for
# alone, with their own file
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
n_claims=0 n_gaps=0 n_changed=0 n_shown=0
declare -A n_of=([follows]=0 [chose]=0 [tests]=0) n_held=([follows]=0 [chose]=0 [tests]=0)

# gpu TITLE: the claims that follow are of this one.
gpu() {
	[ $((n_claims + n_shown)) -eq 0 ] || echo
	printf '## %s\n\n| claim | kind | expected | simulated | verdict |\n| --- | --- | --- | --- | --- |\n' "$1"
}

# claim KIND NAME EXPECTED REASON AWK-PROGRAM FILE...: the program prints what was simulated, then in a
# line of its own "holds" or "not". REASON is empty, or why the model does not reproduce the claim. KIND:
# follows, from constants and rules that were put in; chose, a constant was chosen by it; tests, the model: no constant was.
claim() {
	local kind=$1 name=$2 expected=$3 reason=$4 program=$5 found verdict
	shift 5
	if [ -z "${n_of[$kind]:-}" ]; then
		echo "claims.sh: $name: kind $kind found; allowed: ${!n_of[*]}" >&2
		exit 1
	fi
	found=$(awk -F, "$library $program" "$@")
	verdict=${found##*$'\n'}
	found=${found%$'\n'*}
	n_claims=$((n_claims + 1))
	n_of[$kind]=$((n_of[$kind] + 1))
	[ "$verdict" != holds ] || n_held[$kind]=$((n_held[$kind] + 1))
	case $verdict,$reason in
	holds,) ;;
	not,?*)
		n_gaps=$((n_gaps + 1))
		verdict="known gap: $reason"
		;;
	holds,?*)
		n_changed=$((n_changed + 1))
		verdict="**CHANGED**: a known gap closed"
		;;
	*)
		n_changed=$((n_changed + 1))
		verdict="**FALSE**"
		;;
	esac
	echo "| $name | $kind | $expected | $found | $verdict |"
}

# shown NAME PUBLISHED REASON AWK-PROGRAM FILE...: what was published and is no claim of the model's, for
# REASON, beside what was simulated, which is printed whatever it is.
shown() {
	local name=$1 published=$2 reason=$3 program=$4 found
	shift 4
	found=$(awk -F, "$library $program" "$@")
	n_shown=$((n_shown + 1))
	echo "| $name | shown | $published | $found | $reason |"
}

# shellcheck disable=SC2016
library='
	function verdict(good) { print good ? "holds" : "not" }
	function abs(x) { return x < 0 ? -x : x }
	# |a / b - 1| in per cent
	function off(a, b) { return abs(a / b - 1) * 100 }
'

if [ $# -eq 1 ]; then
	gpu "GeForce GTX 580"
	set -- "$1" one-warp patterns kernels a100 gtx1080 hd5870 combined
fi
shift
for part; do
	# shellcheck source=/dev/null
	. "$here/claims-$part.sh"
done

echo
echo "$n_claims claims, $n_gaps of them known gaps, $n_changed with another verdict than expected;" \
	"$n_shown published figures shown without a verdict"
echo "Of what tests the model ${n_held[tests]} of ${n_of[tests]} hold; of what a constant was chosen by" \
	"${n_held[chose]} of ${n_of[chose]}; of what follows from constants and rules ${n_held[follows]} of ${n_of[follows]}"
[ "$n_changed" -eq 0 ]

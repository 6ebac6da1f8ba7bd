#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/fuzz/count.sh with targets that are no fuzzers, but say what libFuzzer says: what it counts, that it goes on, and that a
# failure is told.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
script=$SOURCE/tests/fuzz/count.sh
mkdir -p "$work/build/tests/fuzz" "$work/source/tests/fuzz/corpus-good" "$work/source/tests/fuzz/corpus-bad"
touch "$work/source/tests/fuzz/corpus-good/"{a,b,c}

# Takes the three inputs of its corpus and the empty one, then as many new ones as -runs= leaves of ten; reaches more with each
# slice.
cat >"$work/build/tests/fuzz/fuzz-good" <<'END'
#!/bin/bash
n=14
for argument; do
	case $argument in
	-runs=*) n=$((${argument#-runs=} < n ? ${argument#-runs=} : n)) ;;
	-artifact_prefix=*) folder=${argument#-artifact_prefix=} ;;
	esac
done
slice=$(cat "$folder/slices" 2>/dev/null || echo 0)
echo $((slice + 1)) >"$folder/slices"
{
	echo "#4	INITED cov: $((10 + slice)) ft: $((100 + slice)) corp: 3/3b"
	echo "#$n	NEW    cov: $((11 + slice)) ft: $((102 + slice)) corp: 4/4b"
	echo "#$n	DONE   cov: $((11 + slice)) ft: $((102 + slice)) corp: 4/4b"
	echo "stat::number_of_executed_units: $n"
} >&2
END
cat >"$work/build/tests/fuzz/fuzz-bad" <<'END'
#!/bin/bash
for argument; do
	case $argument in
	-artifact_prefix=*) touch "${argument#-artifact_prefix=}crash-1234" ;;
	esac
done
echo "SUMMARY: a crash" >&2
exit 77
END
chmod +x "$work/build/tests/fuzz/"*

# count ARGUMENT...: its table goes to $work/table
count() {
	env BUILD="$work/build" SOURCE="$work/source" bash "$script" "$@" >"$work/table" 2>"$work/talk"
}

# cells TARGET COLUMNS: of its row
cells() {
	grep "^$1," "$work/table" | cut -d, -f"$2"
}

inputs_are_counted() {
	count -n 25 good
	[ "$(cells good 1,2,5-9)" = "good,25,13,104,1,1,0" ] && [ "$(cat "$work/build/fuzz/good/slices")" = 3 ]
}
check "inputs are counted in slices, without those that begin one" inputs_are_counted

nothing_is_done_twice() {
	count -n 25 good
	[ "$(cells good 2)" = 25 ] && [ "$(cat "$work/build/fuzz/good/slices")" = 3 ]
}
check "a count that is complete does nothing" nothing_is_done_twice

it_goes_on() {
	count -n 5 -m good
	[ "$(cells good 2)" = 30 ] && [ "$(cat "$work/build/fuzz/good/slices")" = 4 ]
}
check "so many more go on where it was" it_goes_on

failures_are_told() {
	! count -n 10 -j 2 good bad && [ "$(cells bad 1,9)" = "bad,1" ] && [ "$(cells good 2)" = 30 ] &&
		grep -q "fuzz-bad has an input that fails" "$work/talk" && grep -q "a crash" "$work/talk"
}
check "a failure ends its target alone, and the status says so" failures_are_told

done_testing

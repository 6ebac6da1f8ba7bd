#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs of others are counted, captured and replayed by measurements/corpus.sh: which launches it chooses, what it says of those
# that fail, and that nothing is done twice. ncu and the capture are played here, the replay is real.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

mkdir "$work/bin" "$work/programs"
# rows ID KERNEL INSTRUCTIONS: as ncu prints them; of kernel b as many cycles as make it the longest
cat >"$work/bin/ncu" <<'END'
#!/bin/bash
rows() {
	for metric in gpu__time_duration.sum:$3 smsp__inst_executed.sum:1,000 smsp__inst_executed_pipe_lsu.sum:$4 sm__cycles_active.max:2,000 \
		sm__cycles_elapsed.max:5,000; do
		echo "\"$1\",\"7\",\"p\",\"127.0.0.1\",\"$2\",\"1\",\"7\",\"(128, 1, 1)\",\"(2, 3, 1)\",\"0\",\"9.0\",\"s\",\"${metric%:*}\",\"u\",\"${metric#*:}\""
	done
}
echo ran >>"$COUNTED"
case $* in
*broken*) echo '==ERROR== The application "broken" is, well, no program' ;;
*)
	echo '"ID","Process ID","Process Name","Host Name","Kernel Name"'
	rows 0 _Z1av 1,000 10
	rows 1 _Z1bPi 9,000 10
	rows 2 _Z1av 1,000 10
	rows 3 _Z1bPi 9,000 10
	rows 4 _Z1cv 100 10
	rows 5 _Z1dv 900000 10,000,000
	;;
esac
END
cat >"$work/bin/atomsim" <<'END'
#!/bin/bash
[ "$1" = capture ] || exec "$REAL" "$@"
while [ "$1" != -- ]; do
	case $1 in
	--kernel) kernel=$2 ;;
	--launch) launch=$2 ;;
	-o) out=$2 ;;
	esac
	shift
done
echo "$kernel $launch" >>"$CAPTURED"
case $kernel in
'^_Z1bPi$')
	cp "$TRACE" "${out%.bin}.1.bin"
	cp "$TRACE" "${out%.bin}.2.bin"
	;;
'^_Z1av$')
	cp "$TRACE" "$out"
	echo "atomsim: $out: launch 1, a: 2 blocks, 9 events" >&2
	echo "atomsim: $out: 3 instructions, of a kind, were not recorded" >&2
	exit 1
	;;
*)
	echo "atomsim capture: building the capture library in x (once)" >&2
	echo 'atomsim capture: "c" is refused, as it may be' >&2
	exit 1
	;;
esac
END
chmod +x "$work/bin/ncu" "$work/bin/atomsim"
printf '%s\n' '# a comment' 'good|suite|1|MIT|.||4|./good 1' 'missing|suite|1|MIT|.||4|./broken' >"$work/programs/list"
export REAL=$ATOMSIM COUNTED=$work/counted CAPTURED=$work/captured ATOMSIM=$work/bin/atomsim PATH=$work/bin:$PATH
TRACE=$SOURCE/measurements/h200/unseen-launches/cub-copy-if.1.bin
export TRACE
corpus() {
	bash "$SOURCE/measurements/corpus.sh" "$@" "$work/programs/list" "$work/found" count capture replay table
}
corpus >"$work/table" 2>"$work/why" || not_ok "all stages run" "$work/why"
cycles=$("$REAL" run --config h200.json --no-baseline --causes=no --format json "$TRACE" | sed -n 's/.*"busy_cycles":\([0-9]*\).*/\1/p')
# column NAME...: of each row
column() {
	awk -F, -v names="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? "|" : "\n" }' "$work/table"
}
check "of each kernel the second launch is chosen, by their time, then the first; large ones are not" \
	cmp <(column program kernel launch outcome | cut -d '|' -f 1-3) \
	<(printf 'good|%s\n' 'b.2|1' 'a.1|2' 'b.2|2' 'c.3|1' 'd.4|1'; echo 'missing|.|')
check "each says what became of it" \
	cmp <(column kernel outcome) <(printf '%s\n' 'b.2|replayed' 'a.1|gaps in the capture: 3 instructions; of a kind; were not recorded' \
		'b.2|replayed' 'c.3|capture: ;c; is refused; as it may be' 'd.4|too large' \
		'.|not counted: ==ERROR== The application ;broken; is; well; no program')
check "a launch's kernel is captured in one run of the program" cmp <(sort "$CAPTURED") <(printf '%s\n' '^_Z1av$ 2-2' '^_Z1bPi$ 1-2' '^_Z1cv$ 1-1')
check "the cycles are the replay's" cmp <(column busy_cycles | sort -u | grep .) <(echo "$cycles")
check "counters are without commas" cmp <(column grid block cycles_active duration_ns | sed -n 1p) <(echo '2x3x1|128x1x1|2000|9000')
check "a program's third is the sha256 of its name modulo 3" \
	cmp <(column program third | sort -u) <(printf '%s\n' 'good|1' 'missing|0')
cp "$work/table" "$work/first"
mv "$work/found/counted/missing.csv" "$work/kept"
corpus -e 0 >"$work/table" 2>"$work/why"
check "a program that time did not allow to count is left out, and said" \
	cmp <(column program | sort -u; grep -o 'missing is not counted yet' "$work/why") <(printf '%s\n' good 'missing is not counted yet')
mv "$work/kept" "$work/found/counted/missing.csv"
corpus >"$work/table" 2>"$work/why"
check "nothing is done twice" cmp <(wc -l <"$COUNTED"; wc -l <"$CAPTURED"; cat "$work/first") <(echo 2; echo 3; cat "$work/table")
rm "$work/found/replayed/good-2-2.csv"
corpus -e 0 >"$work/table" 2>"$work/why"
check "when time is over nothing is begun" cmp <(column outcome | grep -c '^replayed') <(echo 1)
check "another folder of replays keeps the first" \
	cmp <(corpus -r again 2>"$work/why" | cut -d , -f 1-24) <(cut -d , -f 1-24 "$work/first")
# row THIRD KERNEL LAUNCH INSTRUCTIONS CONFLICTS BUSY SIMULATED_INSTRUCTIONS CONFLICT_PASSES OUTCOME: of 1,000 cycles
row() {
	echo "p,S,1,MIT,$1,$2,$3,1,1,1000,4000,1,$4,1,$5,$6,${6:+3900},$7,1,$8,0,a; b,0.05,0.2,1,1,$9"
}
{
	head -n 1 "$work/first"
	row 0 k.1 1 100 5 900 100 5 replayed
	row 0 k.1 2 100 5 1500 102 0 'gaps in the capture: byte 7 of 99'
	row 0 k.2 1 100 0 '' '' '' 'capture: y'
	row 0 k.2 2 100 0 '' '' '' captured
	row 0 k.3 1 100 0 '' '' '' 'too large'
	row 1 k.1 1 100 0 1000 100 3 replayed
} >"$work/rows"
check "a third's launches are summed up, and those that are far off are named" \
	cmp <(bash "$SOURCE/measurements/corpus-table.sh" -l 25 "$work/rows" 0) - <<'END'
1 programs, 4 launches to capture (0 more not tried or not counted, 1 too large)
captured: 3, of them with gaps 1; not captured: 1; replays that failed: 0, not made: 1
  1 capture: y
  1 gaps in the capture: byte N of N
instructions: 1 of 2 exactly, 1 within 1 %
conflict passes: of 2 launches that have any 1 exactly, 1 within 1 %, 1 have none in the simulation; 0 have some in the simulation alone
expected error: of 2 launches 0 within the median, 1 within the 90th percentile
elapsed cycles: 2.5 % off at the median, 2.5 % in the mean, 2.5 % at the 90th percentile

| busy cycles | launches | median | mean | 90th percentile | maximum | within 10 % | too fast |
| --- | --- | --- | --- | --- | --- | --- | --- |
| all | 2 | 30 % | 30 % | 50 % | 50 % | 1 | 1 |
| a kernel's first launch | 1 | 10 % | 10 % | 10 % | 10 % | 1 | 1 |
| a later one | 1 | 50 % | 50 % | 50 % | 50 % | 0 | 0 |
| a, b | 2 | 30 % | 30 % | 50 % | 50 % | 1 | 1 |
| S | 2 | 30 % | 30 % | 50 % | 50 % | 1 | 1 |

| launch | class | cycles | off by | instructions | outcome |
| --- | --- | --- | --- | --- | --- |
| p k.1 2 | a, b | 1000 | +50 % | +2.0 % | gaps in the capture: byte N of N |
END
check "of several thirds all count" grep -q '^| all | 3 | 10 % | 20 % | 50 % | 50 % | 2 | 1 |' \
	<(bash "$SOURCE/measurements/corpus-table.sh" "$work/rows" 0 1)
done_testing

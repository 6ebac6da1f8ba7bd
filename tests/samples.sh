#!/bin/bash
# SPDX-License-Identifier: MIT
# measurements/sample.sh compares samples with whole launches: which launches it takes, on which machine, and why there is none; and what
# sample-table.sh makes of its rows.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

mkdir "$work/traces"
# trace NAME BLOCKS: few instructions
trace() {
	"$ATOMSIM" gen voting --dataflow yes --blocks "$2" --warps 2 --steps 2 --words 32 --alu 3 -o "$work/traces/$1.bin"
}
trace one-1-1 540
trace one-1-2 540
trace one-2-1 1024
trace one-3-1 1100
trace few-1-1 40
trace mask-1-1 1100
printf 'none' >"$work/traces/broken-1-1.bin"

sample() {
	bash "$SOURCE/measurements/sample.sh" "$@" "$work/traces"
}
sample >"$work/rows" 2>"$work/why" || not_ok "it runs" "$work/why"
# column NUMBER,...: of each row
column() {
	tail -n +2 "$work/rows" | cut -d, -f "$1"
}
first=$(for launch in one-1-1 one-1-2; do printf '%s %s\n' "$(printf %s $launch | sha256sum | cut -d ' ' -f 1)" $launch; done | sort | sed -n '1s/.* //p')
check "of a kernel one launch is taken, of a program two kernels" \
	cmp <(column 2 | sort | uniq -c | sed 's/^ *//') <(printf '%s\n' '1 broken' '1 few' '1 mask' '2 one')
check "of a kernel's launches that with the smallest sum" test "$(column 1 | grep -c "^one-1-" || true)" = "$(column 1 | grep -c "^$first\$" || true)"
check "a program's set is the third of its name, but for programs that may have been seen" \
	cmp <(column 2,3 | sort -u) <(printf '%s\n' broken,third-1 few,third-1 mask,perhaps-seen one,third-0)
check "each has 16 waves, on the most SMs that leave as many" test -z "$(column 1,6,18 | awk -F, '$3 == "yes" && ($2 < 16 || $2 >= 34)')"
check "eight of them are simulated" test "$(column 7,18 | grep -c '^8,yes$')" = 3
check "a launch of few waves has no sample, and what is no trace neither" \
	cmp <(column 1,5,18 | grep -v ',yes$' | sed 's/[0-9]* waves of .*/waves/; s/: it does .*//') \
	<(printf '%s\n' 'broken-1-1,132,no: pack: byte 0: not a trace' 'few-1-1,1,no: pack: the launch has waves')
IFS=, read -r name _ _ _ sms _ _ cycles _ < <(tail -n +2 "$work/rows" | grep '^mask')
check "cycles are those of the whole launch on these SMs" test "$cycles" = \
	"$("$ATOMSIM" run --config h200 --set launch.sms="$sms" --no-baseline --reproducible --format csv --columns cycles "$work/traces/$name.bin" | tail -n 1)"
sample -t perhaps-seen -w '16 32' >"$work/rows" 2>"$work/why"
check "sets of more waves have their own names" cmp <(column 3) <(printf '%s\n' perhaps-seen perhaps-seen-w32)
check "these have as many waves" test "$(column 6 | tail -n 1)" -ge 32
bash "$SOURCE/measurements/sample.sh" "$work/nowhere" 2>"$work/why"
check "a folder that is missing is refused" grep -q "'.*/nowhere' is no folder" "$work/why"

# row SET CYCLES ESTIMATE HALF
row() {
	echo "a,p$2,$1,h200,1,16,8,$2,$3,$(($3 - $4)),$(($3 + $4)),100,25,3000,1000,0.4,0.1,yes"
}
{
	head -n 1 "$work/rows"
	row third-0 1000 1000 100
	row third-0 1010 1000 200
	row third-0 2000 1000 300
	row third-1 1000 1100 100
	echo 'b,q,third-1,h200,1,,,,,,,,,,,,,no: pack: 3 waves'
} >"$work/table"
check "the table has shares with their intervals, widths, errors and gains, and what has no estimate" \
	cmp <(bash "$SOURCE/measurements/sample-table.sh" "$work/table" third-0 third-0+third-1 third-2) - <<'TABLE'
| launches | programs | number | interval holds the cycles | median half width | median, worst error | median gain: instructions, CPU time, bytes |
| --- | --- | --- | --- | --- | --- | --- |
| third-0 | 3 | 3 | 2 (67 %; 9 to 99 %) | 20.0 % | 1.0, 50.0 % | 4.0, 4.0, 3.0 |
| third-0+third-1 | 3 | 4 | 3 (75 %; 19 to 99 %) | 15.0 % | 5.5, 50.0 % | 4.0, 4.0, 3.0 |
| third-2 | 0 | 0 | | | | |

Without an estimate:
      1 pack: N waves
TABLE
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# Results of sweeps that were damaged or changed are refused with file and line, or made anew: never
# taken for results. And what must hold of outputs beyond what a golden test can show: signals, two
# writers, no threads, names that a shell or gnuplot could take for commands.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 99
unset MALLOC_PERTURB_
# A folder of its own: tests beside this one draw plots, too.
mkdir tmp && export TMPDIR="$PWD/tmp"

"$ATOMSIM" gen voting --words 64 --steps 4 --blocks 2 --warps 4 -o v.bin || exit 99
sweep=("$ATOMSIM" sweep --config fermi.json --vary "atomic.locks=64,128,256,512" v.bin)
"${sweep[@]}" -o whole 2>said || cat said
# A folder in the table's place keeps the journal from becoming results.
mkdir -p noted/results.csv
"${sweep[@]}" -o noted 2>said

# fails STATUS PATTERN COMMAND...: it exits so, and says so
fails() {
	local wanted=$1 pattern=$2 status=0
	shift 2
	"$@" >out 2>said || status=$?
	cat said
	[ $status -eq "$wanted" ] && grep -qE "$pattern" said
}

# unfinished FOLDER: one whose journal has the first three points
unfinished() {
	mkdir "$1"
	cp whole/sweep.json "$1"
	head -n 3 noted/journal.jsonl >"$1/journal.jsonl"
}

# --- A journal ---
unfinished nul
sed -i '2s/null/n\x00ull/' nul/journal.jsonl
check "a journal is cut where a NUL is" fails 0 '3 points \(1 more found\)' "${sweep[@]}" -o nul --resume
check "and the sweep ends with the same bytes" diff -r whole nul

unfinished zeros
truncate -s +4096 zeros/journal.jsonl
check "zeros at its end, as a power cut leaves them, are cut" \
	fails 0 '1 point \(3 more found\)' "${sweep[@]}" -o zeros --resume
check "and the sweep ends with the same bytes, too" diff -r whole zeros

unfinished edited
sed -i '2s/"counts":.[0-9]*/"counts":[7/' edited/journal.jsonl
check "a journal that was edited is refused, with file and line" \
	fails 1 'edited/journal.jsonl:2: .*checksum' "${sweep[@]}" -o edited --resume

unfinished tail
sed -i '3s/$/garbage/' tail/journal.jsonl
check "so is one with garbage after a line" \
	fails 1 'tail/journal.jsonl:3: .*checksum' "${sweep[@]}" -o tail --resume

unfinished made-up
sed -i '1s/.*/{"point":1,"status":"complete","problem":null,"counts":[7]}/' made-up/journal.jsonl
check "so is one with a line that no sweep wrote" \
	fails 1 'made-up/journal.jsonl:1: .*checksum' "${sweep[@]}" -o made-up --resume

unfinished linked
mv linked/journal.jsonl elsewhere
ln -s ../elsewhere linked/journal.jsonl
check "a link in a journal's place is not written through" \
	fails 1 'linked/journal.jsonl: cannot open' "${sweep[@]}" -o linked --resume

# --- Lines of another sweep ---
for i in 1 2; do "${sweep[@]}" --shard $i/2 -o "part-$i" 2>said; done
"${sweep[@]}" --set sm.count=3 --shard 1/2 -o other 2>said
cp part-1/sweep.json other/
check "results of another config under this sweep's sweep.json are not merged" \
	fails 1 'other/results.jsonl:1: of another sweep' "$ATOMSIM" sweep merge -o merged other part-2
check "nor taken for this sweep's" \
	fails 1 'other/results.jsonl:1: of another sweep' "${sweep[@]}" --shard 1/2 -o other --resume
mkdir -p begun/results.csv
"${sweep[@]}" --set sm.count=3 -o begun 2>said
rmdir begun/results.csv
cp whole/sweep.json begun/
check "nor is such a journal gone on with" \
	fails 1 'begun/journal.jsonl:1: of another sweep' "${sweep[@]}" -o begun --resume

cp -R whole older
sed -i '/"counts"/d' older/sweep.json
check "a folder of an older atomsim is said to be one" \
	fails 1 'older: .*older atomsim' "${sweep[@]}" -o older --resume
cp -R whole brief
cat noted/journal.jsonl >brief/results.jsonl
check "a journal's lines are no results" \
	fails 1 'line of a journal' "$ATOMSIM" sweep merge -o merged brief

# --- Results ---
cp -R whole changed
sed -i '3s/"cycles":[0-9]*/"cycles":7/' changed/results.jsonl
check "results that were edited are no results" \
	fails 1 'changed/results.jsonl:3: .*checksum' "${sweep[@]}" -o changed --resume
check "nor are they merged" \
	fails 1 'changed/results.jsonl:3: .*checksum' "$ATOMSIM" sweep merge -o merged changed
cp -R whole short
sed -i 3d short/results.jsonl
check "a line that is missing is reported" \
	fails 1 'short/results.jsonl:4: point 3 is missing' "$ATOMSIM" sweep merge -o merged short
cp -R whole long
printf '{"point"' >>long/results.jsonl
check "so is what follows the last line" \
	fails 1 'long/results.jsonl:5: more than the lines' "${sweep[@]}" -o long --resume
cp -R whole twice
sed -n 1p whole/results.jsonl >>twice/results.jsonl
check "and a point that is there twice" \
	fails 1 'twice/results.jsonl:5: more than the lines' "$ATOMSIM" sweep merge -o merged twice

cp -R whole tableless
rm tableless/results.csv
"${sweep[@]}" -o tableless --resume 2>said
check "a table that was removed is made anew" diff -r whole tableless
sed -i '2s/,[0-9]*$/,7/' tableless/results.csv
"${sweep[@]}" -o tableless --resume 2>said
check "so is one that was edited" diff -r whole tableless

cp -R whole badly
printf '{"version":"0.1.0"}\0}' >badly/sweep.json
check "a sweep.json with a NUL in it is none" \
	fails 1 'badly/sweep.json: not what a sweep writes' "${sweep[@]}" -o badly --resume

# --- Plots ---
check "a column that there is not is refused before a point runs" \
	fails 2 'cyclez' "${sweep[@]}" -o unplotted --plot x=atomic.locks y=cyclez
check "and nothing was computed" test ! -e unplotted
check "a plot does not take the place of the sweep's table" \
	fails 2 'over/results.csv' "${sweep[@]}" -o over --plot x=atomic.locks y=cycles file=over/results.svg
if command -v gnuplot >/dev/null; then
	run=("$ATOMSIM" --config fermi.json --reproducible v.bin -o report --plot)
	"${run[@]}" '|touch x #.svg' >said 2>&1
	check "a name is no command to gnuplot" test ! -e x -a -s '|touch x #.svg'
	"${run[@]}" "$(printf "<a\tb'c \377.svg")" >said 2>&1
	check "names may have tabs, quotes and any bytes" test -s "$(printf "<a\tb'c \377.svg")"
	for name in "'it''s'" "a''''b" "'\`touch x\`'@x"; do
		"${run[@]}" "$name.svg" >said 2>&1
		check "a plot may be called $name" test ! -e x -a -s "$name.svg"
	done
	# The points of a family without a name, whose cells have an apostrophe in front: two, and one in the key.
	printf 'cycles,addresses\n108,0 1\n230,5 5\n' >plain.csv
	"$ATOMSIM" validate --config fermi.json --plot points.svg plain.csv >said 2>&1
	check "what is no formula in the data is drawn" test "$(grep -c "href='#gpPt3' transform='translate" points.svg)" -eq 3
	gnuplot ./"|touch x #.gp" >said 2>&1
	check "nor is it one in the script that stays, which draws the same" test ! -e x -a -s '|touch x #.svg'
	long=$(printf 'n%.0s' $(seq 240)).svg
	"${run[@]}" "$long" >said 2>&1
	check "names may be long" test -s "$long"
else
	skip "a name is no command to gnuplot" "no gnuplot"
fi
check "no private folder is left" test -z "$(ls -A tmp)"
# stand_in NAME SCRIPT: whether --plot fails, draws nothing and leaves nothing, with a gnuplot that does this
stand_in() {
	local status=0
	mkdir -p "bin-$1"
	printf '#!/bin/sh\n%s\n' "$2" >"bin-$1/gnuplot"
	chmod +x "bin-$1/gnuplot"
	PATH=$PWD/bin-$1:$PATH "$ATOMSIM" --config fermi.json --reproducible v.bin -o report --plot "$1.svg" >out 2>said || status=$?
	cat said
	[ $status -eq 1 ] && grep -q "^atomsim: $1.gp: " said && [ ! -e "$1.svg" ] && [ -z "$(ls -A tmp)" ]
}
check "a gnuplot that fails is an error" stand_in failing 'exit 3'
check "so is one that is killed" stand_in killed 'kill -KILL $$'
check "and one that draws nothing" stand_in idle 'true'
check "and one that leaves a link" stand_in linking 'ln -s /dev/zero plot.svg'
check "and one whose disk is full" stand_in full 'printf "<svg>gnuplot" >plot.svg'

# --- Signals ---
mkfifo pipe
# holds SIGNAL COMMAND...: while the command waits for a pipe, with its output open, the signal; its status
holds() {
	local signal=$1 status=0
	shift
	(trap - QUIT; ulimit -c 0; exec "$@" 2>said) &
	while [ -z "$(ls -A held)" ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
	kill -s "$signal" $! || kill -s KILL $!
	wait $! || status=$?
	echo $status
}
mkdir held
check "a program that SIGTERM ends says so" test "$(holds TERM "$ATOMSIM" gen pattern --file pipe -o held/t.bin)" -eq 143
check "and leaves nothing behind" test -z "$(ls -A held)"
check "the same with SIGHUP" test "$(holds HUP "$ATOMSIM" gen pattern --file pipe -o held/t.bin)" -eq 129
check "which leaves nothing either" test -z "$(ls -A held)"
# As a pipe that is closed, Ctrl-\, ulimit -t, and what else ends a program.
for signal in PIPE QUIT XCPU ALRM USR1 USR2 VTALRM PROF IO PWR STKFLT ABRT TRAP RTMIN RTMAX; do
	status=$(holds $signal "$ATOMSIM" gen pattern --file pipe -o held/t.bin)
	check "SIG$signal ends a program, which leaves nothing behind" \
		test "$status $(ls -A held)" = "$((128 + $(kill -l $signal))) "
	rm -rf held && mkdir held
done

# Long enough to be stopped: a minute or more.
"$ATOMSIM" gen voting --words 8 --steps 4000 --blocks 200 --warps 8 -o long.bin || exit 99
interrupt() {
	local status=0
	(trap - INT; exec "$@" >out 2>said) &
	sleep 0.7
	kill -INT $!
	wait $! || status=$?
	echo $status
}
check "Ctrl-C exits with 130" test \
	"$(interrupt "$ATOMSIM" --config fermi.json --no-baseline long.bin)" -eq 130
check "a sweep, too" test "$(interrupt "$ATOMSIM" sweep --config fermi.json --vary sm.count=1..4 long.bin)" -eq 130
mkdir tmp
TMPDIR=$PWD/tmp interrupt "$ATOMSIM" sweep --config fermi.json --vary sm.count=1..4 long.bin >/dev/null
check "and takes its private folder with it" test -z "$(ls -A tmp)"
(exec env TMPDIR="$PWD/tmp" "$ATOMSIM" sweep --config fermi.json --vary sm.count=1..4 long.bin >out 2>said) &
while [ -z "$(find tmp -name journal.jsonl)" ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
kill -TERM $!
wait $!
check "SIGTERM takes it, too" test -z "$(ls -A tmp)"

# --- Two writers of one output ---
for seed in 1 2 3 4 5 6; do
	"$ATOMSIM" gen voting --words 64 --steps 40 --blocks 20 --warps 8 --seed $seed -o same.bin &
done
wait
check "of several writers of one file the last one's is there, whole" "$ATOMSIM" trace check same.bin

# --- No threads ---
user=$([ "$(id -u)" != 0 ] || echo "setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all")
chmod 755 . && mkdir -m 777 open
# alone COMMAND...: by a user who may have no more threads
alone() {
	# shellcheck disable=SC2086
	timeout 60 $user bash -c 'ulimit -u 1; exec "$@"' - "$@"
}
if alone "$ATOMSIM" --version >/dev/null 2>&1; then
	check "without a thread to be had a sweep runs all the same" \
		alone "$ATOMSIM" sweep --config "$SOURCE/configs/fermi.json" --vary "atomic.locks=64,128,256,512" v.bin -o open/alone --jobs 4
	check "with the same results" diff -r whole open/alone
	check "and so does a run" alone "$ATOMSIM" --config "$SOURCE/configs/fermi.json" --jobs 4 --reproducible v.bin -o open/report
else
	skip "without a thread to be had a sweep runs all the same" "cannot run as another user"
fi
done_testing

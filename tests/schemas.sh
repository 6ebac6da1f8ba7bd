#!/bin/bash
# SPDX-License-Identifier: MIT
# Every JSON output is as its JSON Schema says, and no schema says what no output has.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
furnish "$work/furnished"
cd "$work/furnished" || exit 99
mkdir schemas outputs

mapfile -t names < <("$ATOMSIM" list schemas --format json | sed -nE 's/^\t+"name":\t"([a-z-]+)".*/\1/p')
check "there are schemas" test ${#names[@]} -gt 15
for name in "${names[@]}"; do
	"$ATOMSIM" list --schema "$name" >"schemas/$name" 2>/dev/null
done

# The forms that each command prints.
n=0
# of NAME COMMAND...: keeps what the command prints as an output of that schema. Whether the command fails is another's test.
of() {
	local name=$1
	shift
	n=$((n + 1))
	"$@" >"outputs/$name.$n" 2>>stderr
	check "output $n is not empty: ${*##*/}" test -s "outputs/$name.$n"
}

of run "$ATOMSIM" run --config fermi --format json histogram transpose
of run "$ATOMSIM" run --config h200 --format json --reproducible --what-if pad=32:1 transpose
of run "$ATOMSIM" run --config h200 --format json --within 5% --reproducible weighted # too short: no sample
"$ATOMSIM" gen pattern --addresses "0 0" -o bare.bin
of run "$ATOMSIM" run --config designs/buffered-l1 --format json bare.bin
of sequence "$ATOMSIM" run --config h200 --sequence --causes=no --format json transpose transpose-padded
of sweep "$ATOMSIM" sweep --config fermi --vary atomic.locks=64,1024 histogram
of sweep "$ATOMSIM" sweep --config fermi --gen pattern --vary 'addresses=0 0,0 1' --format json
of sweep "$ATOMSIM" sweep --config fermi --set sm.count=1 --vary shared.bytes=16384,49152 histogram
of table "$ATOMSIM" table --config fermi --config h200 --base fermi --what-if pad=32:1 --format json transpose
of diff "$ATOMSIM" diff --config h200 --format json transpose transpose-padded
of diff "$ATOMSIM" diff --config fermi --config h200 --format json histogram
"$ATOMSIM" run --config h200 --causes=no --reproducible --format json transpose >report.json 2>/dev/null
"$ATOMSIM" gen reduction --dataflow yes --elements 524288 --tile 256 -o long.bin
"$ATOMSIM" run --config h200 --set launch.sms=4 --within 5% --reproducible --format json long.bin >estimate.json 2>/dev/null
of run cat estimate.json
of diff "$ATOMSIM" diff --format json estimate.json estimate.json
of verify "$ATOMSIM" diff --format json report.json "$SOURCE/tests/reports/ncu-raw.csv"
of verify "$ATOMSIM" diff --launch 2 --format json report.json "$SOURCE/tests/reports/ncu-long.csv"
mkdir gpu
for tool in ncu nsys nvidia-smi; do
	ln -s "$SOURCE/tests/verify/$tool.sh" "gpu/$tool"
done
cp "$SOURCE"/tests/reports/ncu-*.csv .
ln -s "$(type -P true)" program
PATH=$PWD/gpu:$PATH MEASURED=ncu-long.csv of verify "$ATOMSIM" verify --format json report.json -- ./program
PATH=$PWD/gpu:$PATH MEASURED=ncu-long.csv of verify "$ATOMSIM" verify --before "outputs/verify.$n" --format json report.json -- ./program
for trace in weighted bins-block kmeans-lock torch-bincount; do
	of advise "$ATOMSIM" advise --config h200 --format json $trace
done
of advise "$ATOMSIM" advise --config fermi --format json histogram
echo "buffer b 4096 local; stg 4 b at \$lane * 4" >local.trace
"$ATOMSIM" trace assemble local.trace
of advise "$ATOMSIM" advise --config h200 --format json local.bin
of explain "$ATOMSIM" explain --config fermi --addresses "5 5 1029 - 9; 5 6" --format json
of explain "$ATOMSIM" explain --config h200 --type f32 --addresses "5 5 1029 - 9" --format json
of explain "$ATOMSIM" explain --config h200 --access load --addresses "0 32 64" --format json
of model "$ATOMSIM" model --config fermi --addresses "0 1024 - 2" --format json
of law "$ATOMSIM" model --law elteir --format json
of validate "$ATOMSIM" validate --config fermi --format json measurements/gtx580/published.csv
# Its figures of each kind that take no launch of millions of threads, which are minutes.
grep -E '^(id|cost|headline)' measurements/a100/published.csv >published.csv
of validate "$ATOMSIM" validate --config a100-article --format json published.csv
of calibrate "$ATOMSIM" calibrate --config fermi --fit atomic.lock_bits.t_base_cycles -o fitted.json --format json measurements/gtx580/published.csv
of search "$ATOMSIM" search --config fermi --target both --nodes 100 --restarts 1 --format json transpose
of search "$ATOMSIM" search --config fermi --target lock --per-bank --nodes 100 --restarts 1 --format json histogram
for trace in "$SOURCE"/traces/*.bin; do
	of trace-info "$ATOMSIM" trace info --format json "$trace"
done
of config "$ATOMSIM" config --config h200
of config "$ATOMSIM" config --config h200 --explain --format json
of cost "$ATOMSIM" config --config designs/buffered-l1 --cost --format json
of list "$ATOMSIM" list --format json
of list "$ATOMSIM" list hashes --format json
of hash "$ATOMSIM" list --hash xor --format json
of hash "$ATOMSIM" list --hash mod --size 33 --format json

if python3 -c 'import jsonschema' 2>/dev/null; then
	python3 "$SOURCE/tests/schemas.py" "${names[@]}" >verdicts 2>&1
	for name in "${names[@]}"; do
		if grep -qx "$name: obeyed" verdicts; then
			ok "outputs of $name obey its schema"
		else
			not_ok "outputs of $name obey its schema" <(sed -n "/^$name: /,/^[a-z-]*: obeyed/p" verdicts)
		fi
	done
else
	skip "outputs obey their schemas" "python3-jsonschema is not installed"
fi
done_testing

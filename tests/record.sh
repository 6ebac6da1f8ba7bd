#!/bin/bash
# SPDX-License-Identifier: MIT
# Kernels that record themselves by atomsim_record.cuh: here with threads that tests/record/emulate makes, on an H200 as
# tests/record/h200 has it. Where nvcc is, that marks compile away.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

here=$SOURCE/tests/record
header=$SOURCE/src/gpu/record
cxx=$(command -v "${CXX:-c++}") || {
	skip "programs record themselves" "no C++ compiler"
	done_testing
	exit
}
# compile OUTPUT FLAG...
compile() {
	local output=$1
	shift
	"$cxx" -std=c++11 -O1 -Wall -Wextra -Werror -I"$here/emulate" -I"$header" -I"$SOURCE/src/gpu/capture" \
		-DATOMSIM_RECORD -include cuda_runtime.h -x c++ "$@" -o "$work/$output" >"$work/out" 2>&1
}
check "the header's structures are those of raw.h" compile layout.o -c "$here/layout.cu"
check "a program that records itself compiles without warnings" compile program "$here/program.cu" \
	-DWORK_HISTOGRAM=11 -DWORK_TRANSPOSE=11 -DWORK_SUMS=20 -DWORK_KEEP=37

# convert FOLDER: to a trace of its name, with its records as records.sh prints them
convert() {
	"$ATOMSIM" capture --from "$1" -o "$work/${1##*/}.bin" >"$work/out" 2>&1 &&
		bash "$here/records.sh" "$work/${1##*/}.bin" >"$work/${1##*/}.records"
}
# same FILE FILE [PATTERN]: the same lines in any order, without what the pattern matches
same() {
	diff <(sed -E "s/${3:-^$}//" "$1" | sort) <(sed -E "s/${3:-^$}//" "$2" | sort) >"$work/out"
}
cd "$work" || exit 99
for kernel in histogram transpose sums keep; do
	check "$kernel: records itself and calculates the same" ./program $kernel small $kernel
	check "$kernel: is converted" convert $kernel
done
for kernel in histogram sums keep; do
	check "$kernel: has the records that the sanitizer captured on an H200" \
		same $kernel.records "$here/h200/captured-$kernel.txt"
done
# Recorded before the header wrote what lanes add.
for kernel in histogram sums; do
	check "$kernel: what it recorded on an H200 is converted" convert "$here/h200/recorded-$kernel"
	check "$kernel: and has these records, too" same recorded-$kernel.records "$here/h200/captured-$kernel.txt" ' values=.*'
done

# says WORDS COMMAND...
says() {
	local words=$1
	shift
	"$@" >"$work/out" 2>&1
	grep -qF -e "$words" "$work/out"
}
check "the trace says what recorded it" says '"recorder":"atomsim_record.cuh","unmarked_gaps":66' \
	"$ATOMSIM" trace info histogram.bin
check "the report says what it lacks" \
	says "Missing: 66 unmarked_gaps, all that the program does not mark; their cost is not included." \
	"$ATOMSIM" --config h200 histogram.bin
check "the report expects no error of it" says "the program recorded itself: the trace has what it marks" \
	"$ATOMSIM" --config h200 histogram.bin
check "the conversion says how much is not known" says "before 66 accesses and barriers no instructions are known" \
	"$ATOMSIM" capture --from histogram -o again.bin
check "sites have the lines of the marks" says \
	'"instruction":"ATOMS.POPC.INC.32","file":"'"$here/marked.cu\",\"line\":$(grep -n 'bins\[ATOMSIM' "$here/marked.cu" | cut -d: -f1)" \
	"$ATOMSIM" trace info histogram.bin
check "instructions that the program counts are executed" says "warp instructions        190" \
	"$ATOMSIM" trace info histogram.bin

says "did not fit the buffer of 4096 bytes: give atomsim::record" ./program histogram small short 4096
check "a buffer that is too small is reported, with the bytes that suffice" test $? -eq 0
bytes=$(sed -n 's/.*give atomsim::record \([0-9]*\),.*/\1/p' "$work/out")
check "and makes no trace" says "events were lost" "$ATOMSIM" capture --from short -o short.bin
check "and those bytes do" ./program histogram small enough "${bytes:-0}"
check "a folder that exists is left alone" says "cannot make the folder 'histogram'" ./program histogram small histogram

nvcc=$(command -v "${NVCC:-nvcc}" || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc") || {
	skip "without ATOMSIM_RECORD the machine code is that of plain CUDA" "no nvcc"
	done_testing
	exit
}
# The files have one name, which the code names.
mkdir plain marked
cp "$here/plain.cu" plain/kernels.cu
cp "$here/marked.cu" marked/kernels.cu
for number in 75 80 90 120; do
	for version in plain marked; do
		(cd $version && "$nvcc" -std=c++11 -I"$header" -arch=sm_$number -cubin -o ../$version.cubin kernels.cu) >out 2>&1
		check "sm_$number: $version code compiles" test $? -eq 0
	done
	check "sm_$number: without ATOMSIM_RECORD the machine code is that of plain CUDA" cmp plain.cubin marked.cubin
	check "sm_$number: with it, it compiles" "$nvcc" -std=c++11 -I"$header" -DATOMSIM_RECORD -arch=sm_$number -cubin \
		-o recording.cubin marked/kernels.cu
done
done_testing

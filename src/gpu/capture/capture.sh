#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Records a CUDA program into a folder of raw events, machine code and facts (docs/guide/capture.md).
# Needs a GPU, the CUDA toolkit with its Compute Sanitizer, and a C compiler, nothing of
# atomsim: on such a machine it can be used alone, and `atomsim capture --from FOLDER` makes
# the trace elsewhere. `atomsim capture -- PROGRAM` calls it.
#
#   capture.sh [--kernel REGEX] [--launch N[-M]] [--blocks A-B | --sample WAVES] [--buffer BYTES]
#              --output FOLDER -- PROGRAM [ARGUMENT]...
#
# Exit status: 0 recorded, 1 not (said on stderr), 2 usage. The program's own goes into facts.

set -u

here=$(cd "$(dirname "$0")" && pwd)

fail()
{
	printf 'atomsim capture: %s\n' "$@" >&2
	exit 1
}

usage()
{
	printf 'atomsim capture: %s\n' "$@" >&2
	exit 2
}

# ---- The command line

folder=
kernel=
launches=
blocks=
sample=
buffer=67108864
while [ $# -gt 0 ]; do
	case $1 in
	--) shift; break ;;
	--output | --kernel | --launch | --blocks | --sample | --buffer)
		[ $# -ge 2 ] || usage "$1 needs a value"
		case $1 in
		--output) folder=$2 ;;
		--kernel) kernel=$2 ;;
		--launch) launches=$2 ;;
		--blocks) blocks=$2 ;;
		--sample) sample=$2 ;;
		--buffer) buffer=$2 ;;
		esac
		shift 2 ;;
	*) usage "unknown option '$1'" ;;
	esac
done
[ -n "$folder" ] || usage "--output FOLDER is missing"
[ $# -gt 0 ] || usage "no program to run: give it after --"

# ---- What it needs

# ATOMSIM_CAPTURE_DEVICE is in place of the driver's device where there is none, in tests.
[ -e "${ATOMSIM_CAPTURE_DEVICE:-/dev/nvidiactl}" ] || [ -e /dev/dxg ] ||
	fail "this machine has no NVIDIA GPU, or its driver is not loaded (no /dev/nvidiactl)." \
	     "Capture where there is one: docs/guide/capture.md says how to carry the result here."

nvcc=$(command -v "${NVCC:-nvcc}") || nvcc=$(command -v "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc") ||
	fail "nvcc was not found: install the CUDA toolkit, or set CUDA_HOME to where it is."
bin=$(dirname "$(readlink -f "$nvcc")")
toolkit=$(dirname "$bin")

sanitizer=
for candidate in "${SANITIZER_HOME:-}" "$toolkit/compute-sanitizer" "$toolkit/extras/Sanitizer" \
	"$(dirname "$(readlink -f "$(command -v compute-sanitizer || echo /)")")"; do
	if [ -e "$candidate/include/sanitizer.h" ]; then
		sanitizer=$candidate
		break
	fi
done
[ -n "$sanitizer" ] ||
	fail "the Compute Sanitizer's headers were not found in the CUDA toolkit in '$toolkit'." \
	     "Install the toolkit's compute-sanitizer part, or set SANITIZER_HOME to its folder."

nvdisasm=$(command -v "$bin/nvdisasm") || nvdisasm=$(command -v nvdisasm) ||
	fail "nvdisasm was not found in '$bin': install the CUDA toolkit's nvdisasm part."
{ [ -x "$(command -v "$1")" ] && [ ! -d "$1" ]; } || fail "cannot run '$1': no such program"

# ---- Build, once for each toolkit and version of the sources

cuda=$("$nvcc" --version | sed -n 's/.*, V\([0-9.]*\).*/\1/p')
sources="$here/raw.h $here/sample.h $here/patch.cu $here/inject.h $here/inject.c $here/history.c $here/module.c $here/parameters.c $here/ring.c $here/stray.c"
# shellcheck disable=SC2086
key=$(cat $sources | { cat; echo "$cuda $sanitizer"; } | cksum | cut -d' ' -f1)

# Whether only the caller may write there: what is in it is run.
is_private()
{
	[ -n "$(find "$1" -prune -type d -user "$(id -u)" ! -perm -020 ! -perm -002)" ]
}

temporary=
trap '[ -z "$temporary" ] || rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM
make_temporary()
{
	[ -n "$temporary" ] || temporary=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/atomsim-capture.XXXXXX") ||
		fail "cannot make a temporary folder"
}

caches=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
case $caches in
/*) caches=$caches/atomsim ;;
*)
	# No home: a folder of its own, built again each time.
	make_temporary ""
	caches=$temporary/cache ;;
esac
(umask 077 && mkdir -p "$caches") || fail "cannot make the folder '$caches'"
cache=$caches/capture-$key
for place in "$caches" "$cache"; do
	[ ! -e "$place" ] || is_private "$place" ||
		fail "'$place' is not yours alone: it must be a folder that you own and nobody else may write." \
		     "Set XDG_CACHE_HOME to one, or mend its owner and mode."
done
if [ ! -e "$cache/done" ]; then
	# In a folder of its own, then moved: another capture may build at the same time.
	build=$cache.$$
	echo "atomsim capture: building the capture library in $cache (once)" >&2
	mkdir -m 700 "$build" || fail "cannot make the folder '$build'"
	{
		"$nvcc" -arch=native -fatbin --keep-device-functions \
			-Xptxas --compile-as-tools-patch -I"$sanitizer/include" \
			-o "$build/patch.fatbin" "$here/patch.cu" &&
		"${CC:-cc}" -std=gnu11 -O2 -fPIC -shared -pthread \
			-I"$sanitizer/include" -I"$toolkit/include" \
			-o "$build/libatomsim-capture.so" "$here/inject.c" "$here/history.c" "$here/module.c" "$here/parameters.c" \
			"$here/ring.c" "$here/stray.c" \
			-L"$sanitizer" -lsanitizer-public -Wl,-rpath,"$sanitizer"
	} >"$build/log" 2>&1 || {
		cat "$build/log" >&2
		rm -rf "$build"
		fail "the capture library could not be built with the CUDA toolkit in '$toolkit' (above)."
	}
	touch "$build/done"
	mv "$build" "$cache" 2>/dev/null || rm -rf "$build"
	# Built at the same time, the later one was moved into the first one's folder.
	rm -rf "${cache:?}/${build##*/}"
fi

# ---- Record

mkdir -p "$folder" || fail "cannot make the folder '$folder'"
folder=$(cd "$folder" && pwd)

# Only an earlier capture is overwritten, and of that only what this script makes.
tab=$(printf '\t')
if [ -n "$(ls -A "$folder")" ]; then
	if [ "$(head -n 1 "$folder/facts" 2>/dev/null | cut -d"$tab" -f1)" != format ]; then
		fail "'$folder' is not empty and holds no capture: give an empty folder, or one that is not there."
	fi
	for file in "$folder"/*; do
		rest=${file##*/}
		case $rest in
		events-*.raw) rest=${rest#events-} rest=${rest%.raw} ;;
		module-*.cubin) rest=${rest#module-} rest=${rest%.cubin} ;;
		module-*.sass) rest=${rest#module-} rest=${rest%.sass} ;;
		messages | gaps | facts | modules | others) rest=0 ;;
		*) continue ;;
		esac
		case $rest in
		*[!0-9-]* | "") ;;
		*) rm -f "$file" ;;
		esac
	done
fi

# A line a fact: what would end the line or the key is shown as a blank.
fact()
{
	printf '%s\t%s\n' "$1" "$(printf '%s' "$2" | tr '\n\r\t' '   ')" >>"$folder/facts"
}

fact format 1
fact command "$*"
fact folder "$(pwd)"
fact date "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
fact cuda "$cuda"
for query in gpu_name:gpu driver_version:driver; do
	fact "${query#*:}" "$(nvidia-smi --query-gpu="${query%:*}" --format=csv,noheader 2>/dev/null |
		head -n 1)"
done
fact kernel_selection "$kernel"
fact launch_selection "$launches"
fact block_selection "$blocks"
fact sample_waves "$sample"
number=0
for file in "$@"; do
	[ $number -gt 0 ] || file=$(command -v "$file")
	number=$((number + 1))
	if [ -f "$file" ] && [ -r "$file" ]; then
		fact file "$(sha256sum "$file" | cut -d' ' -f1) $file"
	fi
done

# LD_PRELOAD ends a name at a blank or a colon, and knows no quotes.
library=$cache/libatomsim-capture.so
case $library in
*[[:space:]:]*)
	make_temporary ""
	case $temporary in
	*[[:space:]:]*)
		rm -rf "$temporary"
		temporary=
		make_temporary /tmp ;;
	esac
	library=$temporary/libatomsim-capture.so
	ln -s "$cache/libatomsim-capture.so" "$library" || fail "cannot make a link in '$temporary'" ;;
esac

(
	export ATOMSIM_CAPTURE_FOLDER="$folder" ATOMSIM_CAPTURE_PATCH="$cache/patch.fatbin"
	export ATOMSIM_CAPTURE_BUFFER="$buffer"
	[ -z "$kernel" ] || export ATOMSIM_CAPTURE_KERNEL="$kernel"
	[ -z "$launches" ] || export ATOMSIM_CAPTURE_LAUNCHES="$launches"
	[ -z "$blocks" ] || export ATOMSIM_CAPTURE_BLOCKS="$blocks"
	[ -z "$sample" ] || export ATOMSIM_CAPTURE_SAMPLE="$sample"
	export LD_PRELOAD="$library${LD_PRELOAD:+:$LD_PRELOAD}"
	exec "$@"
)
status=$?
fact exit_status "$status"
if [ -e "$folder/gaps" ]; then
	fact graph_launches "$(grep -c '^graph_launch' "$folder/gaps")"
	echo "atomsim capture: launches by CUDA graphs were not recorded: '$folder/gaps' names them" >&2
fi

for cubin in "$folder"/module-*.cubin; do
	[ -e "$cubin" ] || continue
	name=${cubin##*/}
	grep -qx "${name%.cubin}" "$folder/modules" 2>/dev/null || continue
	"$nvdisasm" --print-code --print-line-info-inline --print-instruction-encoding "$cubin" \
		>"${cubin%.cubin}.sass" ||
		fail "nvdisasm cannot read '$cubin'"
	# Tables of jumps and of functions, where the code goes by them.
	if grep -Eq '(BRX|CALL\.REL[A-Z.]*) +U?R[0-9]' "${cubin%.cubin}.sass"; then
		"$nvdisasm" "$cubin" | sed -n '/\.section[ \t]*\.nv\.constant2\./,/^$/p' \
			>>"${cubin%.cubin}.sass"
	fi
done

# ---- What became of it

[ "$status" -eq 0 ] || echo "atomsim capture: the program ended with exit status $status" >&2
if [ -s "$folder/messages" ] && ! ls "$folder"/events-*.raw >/dev/null 2>&1; then
	fail "nothing was recorded (above)." \
	     "The sanitizer does not work where the GPU is under gVisor, or under another profiler."
fi
ls "$folder"/module-*.cubin >/dev/null 2>&1 ||
	fail "the program loaded no GPU code: nothing was recorded."
ls "$folder"/events-*.raw >/dev/null 2>&1 ||
	fail "no launch was recorded: the program launched no kernel, or none that was selected."
[ ! -s "$folder/messages" ] || fail "what was recorded is not all (above): '$folder' keeps it."
exit 0

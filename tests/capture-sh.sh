#!/bin/sh
# SPDX-License-Identifier: MIT
#
# capture.sh where there is neither GPU nor toolkit: stand-ins for both, and a program that makes the
# files that the injected library would. Speaks TAP.

set -u
source=${SOURCE:-.}
script=$(cd "$source/src/gpu/capture" && pwd)/capture.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0
echo 1..10

check()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$folder/said" 2>/dev/null
	fi
}

# ---- The stand-ins

mkdir -p "$folder/toolkit/bin" "$folder/toolkit/compute-sanitizer/include" "$folder/home"
touch "$folder/toolkit/compute-sanitizer/include/sanitizer.h"
cat >"$folder/toolkit/bin/nvcc" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "release 13.0, V13.0.88"; exit; }
while [ "$1" != -o ]; do shift; done
echo patch >"$2"
END
cat >"$folder/toolkit/bin/nvdisasm" <<'END'
#!/bin/sh
echo ".target sm_90"
if [ "$1" = --print-code ]; then
	echo "/*0010*/ BRX R4 -0x20 (*BRANCH_TARGETS .L_x_1*);"
else
	printf '.section\t.nv.constant2.k,"a"\n/*0000*/ .byte 0x40\n\n.section\t.nv.info\nother\n'
fi
END
cat >"$folder/compiler" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo library >"$2"
END
cat >"$folder/program" <<'END'
#!/bin/sh
touch "$ATOMSIM_CAPTURE_FOLDER/events-1.raw" "$ATOMSIM_CAPTURE_FOLDER/module-1-0.cubin"
touch "$ATOMSIM_CAPTURE_FOLDER/module-1-1.cubin"
echo module-1-0 >"$ATOMSIM_CAPTURE_FOLDER/modules"
echo "$LD_PRELOAD" >"${0%/*}/ran"
[ -e "$LD_PRELOAD" ] || echo "no such library" >>"${0%/*}/ran"
END
chmod +x "$folder/toolkit/bin/nvcc" "$folder/toolkit/bin/nvdisasm" "$folder/compiler" "$folder/program"

# run HOME OUTPUT [ARGUMENT]...
run()
{
	home=$1 output=$2
	shift 2
	rm -f "$folder/ran"
	env -u XDG_CACHE_HOME HOME="$home" NVCC="$folder/toolkit/bin/nvcc" CC="$folder/compiler" \
		TMPDIR="$folder" ATOMSIM_CAPTURE_DEVICE="$folder" \
		sh "$script" --output "$output" -- "$folder/program" "$@" >"$folder/said" 2>&1
}

# ---- The tests

run "$folder/home" "$folder/new"
check $? "a program is recorded into a new folder"

grep -q '^/\*0000\*/ .byte 0x40' "$folder/new/module-1-0.sass" &&
	! grep -q other "$folder/new/module-1-0.sass"
check $? "tables that the code goes by are kept with it, and no more"

[ ! -e "$folder/new/module-1-1.sass" ]
check $? "the code of a module without a recorded launch is not disassembled"

mkdir "$folder/mine"
echo mine >"$folder/mine/events-mine.raw"
echo mine >"$folder/mine/messages"
run "$folder/home" "$folder/mine"
[ $? -eq 1 ] && [ ! -e "$folder/ran" ] && [ -e "$folder/mine/events-mine.raw" ] &&
	[ -e "$folder/mine/messages" ] && grep -q "holds no capture" "$folder/said"
check $? "a folder that holds other things is refused, and nothing in it is lost"

echo mine >"$folder/new/events-mine.raw"
echo old >"$folder/new/module-7-0.sass"
run "$folder/home" "$folder/new" && [ -e "$folder/new/events-mine.raw" ] &&
	[ ! -e "$folder/new/module-7-0.sass" ]
check $? "an earlier capture is replaced, and what is not of it stays"

run "$folder/home" "$folder/facts" "x
exit_status	99" && [ "$(grep -c '^exit_status' "$folder/facts/facts")" -eq 1 ] &&
	grep -q 'x exit_status 99' "$folder/facts/facts"
check $? "a newline in an argument makes no fact"

mkdir "$folder/a home: mine"
run "$folder/a home: mine" "$folder/blank" && ! grep -q '[ :]' "$folder/ran" &&
	[ -z "$(find "$folder" -maxdepth 1 -name 'atomsim-capture.*')" ]
check $? "a home with a blank and a colon in its name does, and no link is left"

run "" "$folder/homeless" && grep -q "^$folder/atomsim-capture" "$folder/ran" &&
	[ -z "$(find "$folder" -maxdepth 1 -name 'atomsim-capture.*')" ]
check $? "without a home the library is built in a folder of its own, which goes"

chmod 777 "$folder/home/.cache/atomsim"
run "$folder/home" "$folder/writable"
[ $? -eq 1 ] && [ ! -e "$folder/ran" ] && grep -q "is not yours alone" "$folder/said"
check $? "a cache that others may write is refused"
chmod 700 "$folder/home/.cache/atomsim"

chmod 777 "$folder"/home/.cache/atomsim/capture-*
run "$folder/home" "$folder/writable2"
[ $? -eq 1 ] && [ ! -e "$folder/ran" ] && grep -q "is not yours alone" "$folder/said"
check $? "a library that others may replace is not run"

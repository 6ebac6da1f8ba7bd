#!/bin/bash
# SPDX-License-Identifier: MIT
# Holds the sources against the design: who may include whom, who may print, what is listed where.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$SOURCE" || exit 99

# What each folder of src/ may include, beside itself; a header or a whole folder: the table of docs/dev/architecture.md.
allowed() {
	case $1 in
	base) echo base/ ;;
	atomsim.h) echo nothing ;;
	main.c) echo cli/ && allowed cli ;;
	# The CUDA side, gpu/capture/, sees nothing else; the other rooms in gpu/ do.
	*) sed -nE "s#^\| [^|]*\`src/$1/\`[^|]*\|[^|]*\| ([^|]*) \|\$#\1#p" docs/dev/architecture.md |
		tr -d '`' | tr ',' '\n' | sed -E 's#^ *([a-z]+)$#\1/#; s#^ +##' ;;
	esac
}

forbidden_includes() {
	local file folder header edge good
	declare -A edges
	while IFS=: read -r file header; do
		folder=${file#src/}
		folder=${folder%%/*}
		header=${header#*\"}
		header=${header%%\"*}
		good=no
		# The CUDA side is built where only its own folder is at hand.
		[[ $file != src/gpu/capture/* || $header == */* ]] || good=yes
		[ -n "${edges[$folder]+set}" ] || edges[$folder]=$(allowed "$folder")
		for edge in "$folder/" ${edges[$folder]}; do
			[[ $header != "$edge"* ]] || good=yes
		done
		[ $good = yes ] || echo "$file includes \"$header\""
	done < <(grep -rE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src)
}

# Sets $found to the row of docs/dev/architecture.md's table of src/sim in which a file is: of the longest name that it begins with.
row_of() {
	local row names name best=""
	found=0
	while read -r row names; do
		for name in $names; do
			[[ $1 != "$name"* || ${#name} -le ${#best} ]] || { best=$name && found=$row; }
		done
	done <<<"$sim_rows"
}

includes_of_upper_rows() {
	local file header sim_rows found row
	sim_rows=$(sed -nE 's/^\| ([0-9]+) \| (`[^|]*) \|.*/\1 \2/p' docs/dev/architecture.md | tr -d '`,')
	[ -n "$sim_rows" ] || echo "docs/dev/architecture.md has no table of src/sim"
	while IFS=: read -r file header; do
		file=${file#src/sim/}
		header=${header#*\"sim/}
		header=${header%%\"*}
		row_of "$file"
		row=$found
		row_of "$header"
		[ "$row" -ge "$found" ] && [ "$row" -gt 0 ] ||
			echo "src/sim/$file includes \"sim/$header\""
	done < <(grep -rE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"sim/' src/sim)
}

unknown_folders() {
	local folder
	for folder in src/*/; do
		folder=$(basename "$folder")
		[ -n "$(allowed "$folder")" ] || echo "src/$folder is not in the list of allowed edges"
	done
}

# matches PATTERN PATH...: code that uses what it must not; comments may speak of it.
matches() {
	local pattern=$1
	shift
	# Comments go, line numbers stay.
	find "$@" -type f \( -name '*.c' -o -name '*.h' \) | sort | PATTERN=$pattern perl -e '
		while (my $file = <STDIN>) {
			chomp $file;
			open my $in, "<", $file or die "$file: $!";
			my ($text, $n) = (do { local $/; <$in> }, 0);
			$text =~ s{/\*.*?\*/}{ $& =~ s/[^\n]//gr }gse;
			$text =~ s{//[^\n]*}{}g;
			for my $line (split /\n/, $text) {
				$n++;
				print "$file:$n:$line\n" if $line =~ /$ENV{PATTERN}/;
			}
		}'
}

without_spdx() {
	find . -name '.?*' -prune -o -name 'build*' -prune -o -type f \
		\( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.gp' \
		-o -name '*.p[yl]' -o -name bootstrap -o -name configure.ac -o -name Makefile.am \) -print | sort |
		xargs -d '\n' awk '
			FNR == 1 { if (file && !has) print file; file = FILENAME; has = 0 }
			FNR <= 2 && /SPDX-License-Identifier: MIT/ { has = 1 }
			END { if (!has) print file }'
}

# wrongly_listed COMMAND...: files that it prints and that are not on a list of Makefile.am, once.
wrongly_listed() {
	"$@" | sort | awk '
		NR == FNR { for (i = 1; i <= NF; i++) n[$i]++; next }
		n[$1] != 1 { printf "%s: %d times in Makefile.am\n", $1, n[$1] }' Makefile.am -
}

# wrongly_registered TYPE PREFIX LIST FILE...: each const TYPE PREFIX_name must stand once on the
# list that begins with LIST, in one of the files.
wrongly_registered() {
	local type=$1 prefix=$2 list=$3 name n
	shift 3
	grep -rhoE "^const $type ${prefix}_[a-z0-9_]+" src --include='*.c' | sed "s/.*${prefix}_//" |
		while IFS= read -r name; do
			n=$(sed -n "/$list/,/^\$/p" "$@" | grep -owE "(${prefix}_)?$name" | wc -l)
			[ "$n" -eq 1 ] || echo "${prefix}_$name: $n times on the list in $*"
		done
}

# foreign_state MEMBER OWNER: code of src/sim outside the files OWNER* that names a field of what an SM or a warp has in MEMBER.
foreign_state() {
	matches "(\\.|->)($1)(\\.|->)\\w" src/sim | grep -v "^src/sim/$2"
}

# A warp's fields that are read where its record may be the next one already.
read_after_fetch() {
	find src/sim -name '*.[ch]' | sort | xargs perl tests/after-fetch.pl
}

# unnamed_forms: validate takes such a column for that; launches.csv of atomsim measure has it, too
printed_forms() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } $column["form"] != "" { print $column["program"] ".cu" }' \
		measurements/programs/steps.csv | sort -u | while read -r file; do
		grep -Hn ',form\\n' "measurements/programs/$file"
	done
}

unnamed_forms() {
	local file
	find measurements -name '*.csv' | while IFS= read -r file; do
		awk -F, -v file="$file" '
			FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "form") column = i - NF }
			FNR == 1 && NF > 1 && !/(^|,)form(,|$)/ { exit }
			FNR > 1 && !seen[$(NF + column)]++ { # cells before it may have commas
				name = $(NF + column)
				if (name == "") next
				gsub(/["\r]/, "", name)
				if ((getline line <("measurements/forms/" name ".trace")) < 0) print file ": " name
			}' "$file"
	done
	grep -nE 'printf\("([^"]*,)?form,' measurements/programs/*.cu
}

# Sources of more than 300 lines. Those below are known, and each that is shorter or gone is to be taken off the list.
# inject.c is built and tested where there is a GPU alone: it is cut by who has one.
known_large_files='
src/gpu/capture/inject.c'
large_files() {
	differences "$known_large_files" "has more than 300 lines" "$(find src -name '*.[ch]' -print0 | xargs -0 awk 'FNR == 301 { print FILENAME }')"
}

circles_of_calls() {
	perl tests/circles.pl "$BUILD" | sed 's/$/ call each other/'
}

# What no other file uses is static.
unused_exports() {
	perl tests/exports.pl "$BUILD" | sed 's/$/ alone uses it: make it static, or take it out/'
}

# Blocks of the lists of mutants whose line has gone from their file: `make mutants` would end there.
gone_mutants() {
	awk '
		function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
		FNR == 1 { list = FILENAME }
		/^[a-z].*\.[ch]( [0-9]+)?$/ { path = $1; n = NF > 1 ? $2 : 1 }
		/^- / {
			wanted = trim(substr($0, 3))
			found = 0
			while ((getline line <path) > 0)
				found += trim(line) == wanted
			close(path)
			if (found < n)
				print list ": " path " has no line " wanted
		}' tests/mutants/by-hand.txt tests/mutants/equivalent.txt
}

# differences KNOWN WHAT FOUND: of two lists of lines, in any order.
differences() {
	comm -3 <(sed '/^$/d' <<<"$1" | sort) <(sed '/^$/d' <<<"$3" | sort) |
		sed -E "s/^\t(.*)/\1: $2, and the list of tests\/structure.sh has it not/; t; s/\$/: is on the list of tests\/structure.sh, and need not be/"
}

# none NAME COMMAND...: passes if the command prints nothing
none() {
	local name=$1
	shift
	"$@" >"$work/found" 2>&1
	if [ -s "$work/found" ]; then not_ok "$name" "$work/found"; else ok "$name"; fi
}

none "includes follow the allowed edges" forbidden_includes
check "docs/images/rooms.svg is of that table" diff docs/images/rooms.svg <(bash docs/rooms.sh docs/dev/architecture.md)
none "what src/sim includes of itself follows its rows" includes_of_upper_rows
none "every folder of src/ is in the list of allowed edges" unknown_folders
none "sim and model know no GError, JSON or files" \
	matches '\b(GError|cJSON\w*|FILE|fopen|printf|g_print\w*|g_file_\w+)\b|<(stdio|cjson/cJSON)\.h>' src/sim src/model
none "only cli/ and main.c print or exit" \
	matches '(?<![\w.>])(printf|puts|putchar|exit|_exit|abort|perror|g_print|g_printerr|g_warning|g_message)\s*\(|\b(stdout|stderr)\b' \
	src/base/error.c src/config src/trace src/workloads src/model src/sim src/transform src/replay src/explore src/report src/library
none "only replay/ asks for a simulation" \
	matches '\b(sim_run|SimRequest)\b' src/base src/config src/trace src/workloads src/explore src/report src/library src/cli
none "only sim/memory/fences.* knows what an SM and a warp keep for fences" foreign_state 'fences?' memory/fences
none "only sim/locks/ knows what an SM and a warp keep for locks" foreign_state locks locks/
none "no field of a warp is read behind a call that may fetch its next record" read_after_fetch
# What is no constant could be changed; a row's launch finds a state (machine_in_state), and figures of papers name a mechanism
# themselves (metric-runs.c).
# shellcheck disable=SC2046 # no path has a blank
none "validate changes no machine" matches '(?<!const )\b(Machine|\w+Parameters) \*?\w' \
	$(find src/validate -name '*.[ch]' ! -name 'metric-runs.c')
none "every source file names its licence in its first lines" without_spdx
# A fuzz target is built twice, cppcheck.h never, covered.c by mutants.pl.
none "every C source is on one list of Makefile.am, once" \
	wrongly_listed find src tests -name '*.[ch]' ! -path 'src/gpu/capture/*' ! -path 'tests/capture/*' ! -path 'tests/record/*' \
	! -path 'tests/fuzz/*' ! -path 'tests/instrumented/cppcheck.h' ! -path 'tests/mutants/covered.c'
none "every form, config and trace is installed" \
	wrongly_listed find measurements/forms configs traces -maxdepth 2 -name '*.trace' -o -name '*.json' -o -name '*.bin'
none "a column named form of a measured file, or of what a program of them prints, names forms" unnamed_forms
none "no program whose file gets a form from steps.csv prints one itself" printed_forms
none "no file of src/ has more than 300 lines but those listed" large_files
none "every fault of the lists of mutants is in a line that is there" gone_mutants
if command -v nm >/dev/null; then
	none "no files of src/ call each other" circles_of_calls
	none "what a file of src/ shows to others is used by one" unused_exports
else
	skip "no files of src/ call each other" "no nm"
	skip "what a file of src/ shows to others is used by one" "no nm"
fi
none "every scheduler is registered once" wrongly_registered Scheduler scheduler 'define SCHEDULERS' src/model/issue/scheduler.h
none "every mechanism is registered once" wrongly_registered Mechanism mechanism 'define MECHANISMS' src/model/atomic/mechanism.h
none "every workload is registered once" wrongly_registered Workload workload 'define WORKLOADS' src/workloads/workloads.c
none "every command is registered once" wrongly_registered Command command 'define COMMANDS\|commands\[\] = {' src/cli/cli.h src/cli/trace/trace.c
done_testing

#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes a page of the manual to stdout: of docs/reference/ and src/atomsim.h, for man. It needs awk and nothing that is built.
# usage: page.sh SOURCE PAGE    PAGE: atomsim.1, atomsim-COMMAND.1, atomsim-config.5, atomsim-trace.5 or atomsim.h.3
# shellcheck disable=SC2016 # what $ begins is awk's, or to be printed
set -eu
export LC_ALL=C
AWK=${AWK:-awk}
[ $# -eq 2 ] || { sed -n '3,4p' "$0" >&2; exit 2; }
source=$1 page=$(basename "$2")
name=${page%.*} section=${page##*.}
reference=$source/docs/reference
commands=$reference/commands.md

# A command's section as a page: parts by their titles, in the manual's order.
command_page() {
	"$AWK" -v name="$1" '
		# Part of the page, or of the section of a command of this one.
		function see(title) {
			if (title != part) print (inner ? "\n## " : "\n# ") title "\n"
			part = title
		}
		function print_status(s,   n, i, rows, at) {
			see("Exit status")
			sub(/^Exit status: /, "", s)
			sub(/\.$/, "", s)
			n = split(s, rows, "; ")
			print "| status | meaning |\n| --- | --- |"
			for (i = 1; i <= n; i++) {
				at = index(rows[i], " ")
				print "| `" substr(rows[i], 1, at - 1) "` | " substr(rows[i], at + 1) " |"
			}
		}
		/^## / { on = $0 == "## " name; next }
		!on { next }
		/^### / { inner = 1; print "\n# " substr($0, 5); part = ""; next }
		/^```text$/ && !inner { print "# Synopsis\n"; part = "Synopsis" }
		/^\*\*[A-Za-z ]+\*\*$/ {
			title = substr($0, 3, length($0) - 4)
			if (inner) see(title)
			else if (title ~ /^(Examples|Environment)$/) see(title)
			else if (title ~ /^(Commands|Workloads)$/) print "\n## " title
			else { see("Options"); if (title != "Options") print "## " title }
			next
		}
		/^Exit status: / { print_status($0); next }
		/^```/ { fenced = !fenced }
		fenced && /^\$ / { $0 = substr($0, 3) }
		!fenced && /^[^|`]/ && !inner { see(part == "Synopsis" ? "Description" : part == "Options" ? "Notes" : part) }
		{ print }' "$commands"
}

# The rest of a page of docs/ behind its title and the sentence that says whom it serves.
without_title() {
	"$AWK" 'NR > 4' "$1"
}

# The pages of all commands, between commas.
all_commands() {
	sed -n 's/^## atomsim \(.*\)/\\fBatomsim\\-\1\\fR(1),/p' "$commands"
}

summary_of() {
	"$AWK" -v name="$1" '
		/^## / { on = $0 == "## " name; next }
		on && /^```/ { fenced = !fenced; next }
		on && !fenced && NF { sub(/\.$/, ""); print tolower(substr($0, 1, 1)) substr($0, 2); exit }' "$commands"
}

case $page in
atomsim.1 | atomsim-*.1)
	title=$(printf '%s\n' "$name" | tr - ' ')
	grep -qx "## $title" "$commands" || { echo "page.sh: $page: docs/reference/commands.md has no section '$title'" >&2; exit 1; }
	about=$(summary_of "$title") manual="User Commands"
	;;
atomsim-config.5) about="keys of a machine, and how config files are found" manual="File Formats" ;;
atomsim-trace.5) about="format of traces, and of trace texts" manual="File Formats" ;;
atomsim.h.3) about="replay traces of GPU kernels from a program" manual="Library Functions" ;;
*)
	echo "page.sh: $page: no such page; allowed: atomsim.1, atomsim-COMMAND.1, atomsim-config.5, atomsim-trace.5, atomsim.h.3" >&2
	exit 2
	;;
esac

# The release and its day: a page must depend on the sources alone.
version=$(sed -n '1s/^atomsim (\([^)-]*\).*/\1/p' "$source/debian/changelog")
day=$("$AWK" '/^ -- / { split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", m); for (i in m) if (m[i] == $(NF - 3)) k = i
	printf "%s-%02d-%02d\n", $(NF - 2), k, $(NF - 4); exit }' "$source/debian/changelog")

roff() {
	"$AWK" -f "$source/docs/man/roff.awk" "$@"
}

# Its first line asks man for tbl.
printf '%s\n' "'\\\" t" '.\" Made by docs/man/page.sh.' '.nr HY 0'
printf '.TH "%s" %s "%s" "atomsim %s" "%s"\n' "$(printf '%s\n' "$name" | tr '[:lower:]' '[:upper:]')" "$section" "$day" "$version" "$manual"
printf '%s\n' '.ad l' '.nh' '.SH NAME' "$(printf '%s\n' "$name" | sed 's/-/\\-/g') \\- $about"
case $page in
*.1)
	command_page "$title" | roff
	others="\\fBatomsim\\fR(1),"
	[ "$page" != atomsim.1 ] || others=$(all_commands)
	;;
*.5)
	printf '.SH DESCRIPTION\n'
	if [ "$page" = atomsim-config.5 ]; then
		without_title "$reference/configs.md" | roff -v shift=1
	else
		without_title "$reference/trace-format.md" | roff
		printf '.SH "TRACE TEXTS"\n'
		without_title "$reference/trace-text.md" | roff
	fi
	others="\\fBatomsim\\fR(1),"
	;;
*.3)
	printf '%s\n' '.SH SYNOPSIS' '.EX' '#include <atomsim.h>' '' 'cc program.c $(pkg\-config \-\-cflags \-\-libs atomsim)' '.EE' '.SH DESCRIPTION'
	"$AWK" -f "$source/docs/man/header.awk" "$source/src/atomsim.h" | roff
	others="\\fBatomsim\\fR(1),"
	;;
esac
{
	printf '.SH "SEE ALSO"\n%s\n' "$others"
	for more in atomsim-config.5 atomsim-trace.5 atomsim.h.3; do
		[ "$more" = "$page" ] || printf '\\fB%s\\fR(%s),\n' "$(printf '%s\n' "${more%.*}" | sed 's/-/\\-/g')" "${more##*.}"
	done
} | sed '$s/,$//'

#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes docs/reference/commands.md to stdout: what `atomsim COMMAND --help` says, as a page. The manual's pages are made of it
# (page.sh), so that they need no program.
# usage: commands.sh ATOMSIM
set -eu
[ $# -eq 1 ] || { sed -n '3,5p' "$0" >&2; exit 2; }
atomsim=$1

# names_of TITLE COMMAND...: the names on the list with that title in a help text
names_of() {
	local title=$1
	shift
	"$atomsim" "$@" --help | sed -nE "/^$title:\$/,/^\$/s/^  ([a-z-]+) .*/\1/p"
}

# section MARK COMMAND...: a help text as a section whose heading begins with MARK
section() {
	local mark=$1
	shift
	"$atomsim" "$@" --help | awk -v heading="$mark atomsim${*:+ $*}" '
		function escape(s) {
			gsub(/\\/, "\\\\", s)
			gsub(/[|*<]/, "\\\\&", s)
			return s
		}
		# The row so far of a list, of which the next line may be more.
		function end_row() {
			if (name == "") return
			gsub(/\|/, "\\|", name)
			shown = "`" name "`"
			if (title == "Commands" || title == "Workloads") {
				anchor = substr(heading, index(heading, " ") + 1) " " name
				gsub(/ /, "-", anchor)
				shown = "[" shown "](#" anchor ")"
			}
			print "| " shown " | " escape(text) " |"
			name = ""
		}
		function begin_list() {
			if (title == "Examples") { print "```console"; return }
			kind = title == "Commands" ? "command" : title == "Workloads" ? "workload" : \
				title == "Environment" ? "variable" : "option"
			print "| " kind " | meaning |"
			print "| --- | --- |"
		}
		function end_block() {
			if (state == "usage") print "\n```text\n" usage "\n```\n\n" summary
			else if (state == "list") { end_row(); if (title == "Examples") print "```" }
			else if (state == "text") print escape(text)
			if (state != "") print ""
			state = ""
		}
		NR == 1 { print heading; state = "usage"; usage = substr($0, 8); next }
		/^$/ { end_block(); next }
		state == "usage" && /^  or:  / { usage = usage "\n" substr($0, 8); next }
		state == "usage" && /^ / { sub(/^ +/, ""); usage = usage " " $0; next }
		state == "usage" { summary = summary (summary == "" ? "" : " ") escape($0); next }
		state == "" && /^[A-Z][a-z ]*:$/ {
			title = substr($0, 1, length($0) - 1)
			print "**" title "**\n"
			begin_list()
			state = "list"
			next
		}
		state == "list" && title == "Examples" { print (/^   / ? "" : "$ ") substr($0, 3); next }
		state == "list" && /^  [^ ]/ {
			end_row()
			line = substr($0, 3)
			at = match(line, /   */)
			name = at ? substr(line, 1, at - 1) : line
			text = at ? substr(line, at + RLENGTH) : ""
			next
		}
		state == "list" { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
		{ text = state == "text" ? text " " $0 : $0; state = "text" }
		END { end_block() }'
}

cat <<'END'
# Commands

This page serves those who look for an option: every command with its purpose, options, exit status and examples. `atomsim help COMMAND` and `man atomsim-COMMAND` say the same.

<!-- `make -C build update-golden` writes this page. -->

END
section "##"
for command in $(names_of Commands); do
	section "##" "$command"
	for more in $(names_of "(Commands|Workloads)" "$command"); do
		section "###" "$command" "$more"
	done
done | sed -e '$d' # a page ends without an empty line

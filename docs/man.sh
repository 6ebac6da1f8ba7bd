#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes the manual page to stdout: help2man's rendering of --help, with a section for each command
# from its own --help. `make update-golden` keeps docs/atomsim.1, so that a build needs no help2man.
# usage: man.sh ATOMSIM
set -eu
atomsim=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
include=$folder/include
# help2man takes no program whose path has a space.
ln -s "$(realpath "$atomsim")" "$folder/atomsim"

# The names on a list that atomsim prints under HEADING.
names_under() {
	sed -nE "/^$1/,/^\$/s/^  ([a-z-]+) .*/\1/p"
}

# A command's --help as roff. Its options become a list of paragraphs.
command_section() {
	echo ".ad l" # a long list of values cannot be spread over a line
	"$atomsim" "$@" --help | awk '
		function escape(s) {
			gsub(/\\/, "\\e", s)
			gsub(/-/, "\\-", s)
			gsub(/\|/, "|\\:", s) # long lists of values may be broken
			return s ~ /^[.\047]/ ? "\\&" s : s # 047 is the apostrophe
		}
		/^Usage: / { print ".PP"; print ".B " escape(substr($0, 8)); print ".PP"; next }
		/^  ?-/ {
			line = substr($0, 3)
			split_at = match(line, /  +/)
			name = split_at ? substr(line, 1, split_at - 1) : line
			print ".TP"; print ".B \"" escape(name) "\""
			in_option = 1; n_lines = 0
			if (split_at) { print escape(substr(line, split_at + RLENGTH)); n_lines = 1 }
			next
		}
		/^(Application |Help )?Options:$/ { next }
		/^$/ { print ".PP"; in_option = 0; next }
		in_option { if (n_lines++) print ".br"; sub(/^ +/, ""); print escape($0); next }
		/^ / { print ".br"; print escape($0); next }
		{ print escape($0) }'
}

{
	cat <<'TEXT'
[NAME]
atomsim \- simulate GPU shared memory and its atomics

TEXT
	for command in $("$atomsim" --help | names_under Commands); do
		echo "[ATOMSIM ${command^^}]"
		command_section "$command"
		[ "$command" != gen ] || for workload in $("$atomsim" list workloads | names_under Workloads); do
			echo ".SS \"Workload $workload\""
			command_section gen "$workload"
		done
		echo
	done
	cat <<'TEXT'
[CONFIGS]
A config is a JSON file. Its name is a path or, if there is no such file, looked for in the folders
of ATOMSIM_CONFIG_PATH and then among the installed configs.
.B atomsim run \-\-help\-config
describes every key.

[EXIT STATUS]
0 for success, 1 for a failure, 2 for a command line that makes no sense.

[ENVIRONMENT]
.TP
.B ATOMSIM_CONFIG_PATH
Folders, separated by colons, where configs are looked for by name before the installed ones.
TEXT
} >"$include"

# No date: the page must depend on the program alone.
help2man --no-info --section=1 --include="$include" --version-string="$("$atomsim" --version)" \
	"$folder/atomsim" | sed -E 's/^(\.TH [^ ]+ "?1"?) "[^"]*"/\1 ""/'

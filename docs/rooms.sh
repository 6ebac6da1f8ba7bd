#!/bin/bash
# SPDX-License-Identifier: MIT
# Draws docs/images/rooms.svg: the rooms of src/ in layers, by who may include whom in the table of docs/dev/architecture.md, which
# tests/structure.sh holds the sources to. A room is one layer above the highest that it includes. Prints the picture.
# usage: rooms.sh PAGE
set -eu
[ $# -eq 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
awk '
	BEGIN {
		n = split("base:words, records, errors|model:mechanisms, banks, memory|trace:trace files|transform:what-ifs|sim:the run|" \
			"workloads:generators|gpu:captures|config:keys of machines|replay:config + trace -> result|report:text, JSON, pages|" \
			"explore:sweep, search, advise|validate:against measurements|answer:what both above share|cli:commands|library:atomsim.h", words, "|")
		for (i = 1; i <= n; i++) {
			split(words[i], word, ":")
			says[word[1]] = word[2]
			order[i] = word[1]
		}
	}
	/^\| `src\// {
		split($0, cell, "|")
		if (!match(cell[2], /src\/[a-z]+\//))
			next
		room = substr(cell[2], RSTART + 4, RLENGTH - 5)
		known[room] = 1
		includes[room] = cell[4]
	}
	function layer(room, part, count, i, name, most) {
		if (room in at)
			return at[room]
		count = split(includes[room], part, ",")
		most = 0
		for (i = 1; i <= count; i++) {
			name = part[i]
			gsub(/[` ]|\/.*/, "", name)
			if (name != room && (name == "base" || name in known) && layer(name) + 1 > most)
				most = at[name] + 1
		}
		return at[room] = most
	}
	END {
		known["base"] = 1
		at["base"] = 0
		top = 0
		for (room in known) {
			if (!(room in says)) {
				print "rooms.sh: no words for src/" room "/: add them here" >"/dev/stderr"
				exit 1
			}
			if (layer(room) > top)
				top = at[room]
		}
		height = 20 + (top + 1) * 58
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 %d\" font-family=\"sans-serif\" text-anchor=\"middle\">\n", height
		printf "<title>The rooms of src/ in layers: each includes rooms below it</title>\n<rect width=\"720\" height=\"%d\" fill=\"#fff\"/>\n", height
		for (l = top; l >= 0; l--) {
			y = 14 + (top - l) * 58
			count = 0
			for (i = 1; i <= n; i++)
				if (order[i] in known && at[order[i]] == l)
					row[++count] = order[i]
			width = (700 - (count - 1) * 10) / count
			for (i = 1; i <= count; i++) {
				x = 10 + (i - 1) * (width + 10)
				printf "<rect x=\"%.0f\" y=\"%d\" width=\"%.0f\" height=\"48\" rx=\"4\" fill=\"#e8eff7\" stroke=\"#356\"/>\n", x, y, width
				printf "<text x=\"%.0f\" y=\"%d\" font-size=\"15\" font-weight=\"bold\">%s</text>\n", x + width / 2, y + 20, row[i]
				printf "<text x=\"%.0f\" y=\"%d\" font-size=\"13\">%s</text>\n", x + width / 2, y + 38, says[row[i]]
			}
		}
		print "</svg>"
	}' "$1" | sed 's/->/\&#8594;/'

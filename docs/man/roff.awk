# SPDX-License-Identifier: MIT
# Markdown, as far as pages of docs/ have it, to the manual's roff (POSIX awk). `#` becomes .SH, `##` .SS; -v shift=1 leaves one `#`
# of each heading out.

# A character as it is typed, in a command line that is copied too.
function literal(c) {
	if (c == "\\") return "\\e"
	if (c == "-") return "\\-"
	if (c == "'") return "\\(aq"
	if (c == "`") return "\\(ga"
	if (c == "^") return "\\(ha"
	if (c == "~") return "\\(ti"
	return c
}

function literal_text(s,   i, out) {
	for (i = 1; i <= length(s); i++)
		out = out literal(substr(s, i, 1))
	return out
}

# A text with its bold parts and code; the text alone of a link.
function inline(s,   out, c, bold, n) {
	gsub(/&emsp;/, "", s)
	while (s != "") {
		c = substr(s, 1, 1)
		n = 1
		if (c == "\\" && s ~ /^\\[\\|*<_`]/) {
			out = out literal(substr(s, 2, 1))
			n = 2
		} else if (c == "`" && index(substr(s, 2), "`")) {
			n = index(substr(s, 2), "`") + 1
			code = substr(s, 2, n - 2)
			gsub(/\\\|/, "|", code)
			out = out "\\fB" literal_text(code) "\\fR"
		} else if (substr(s, 1, 2) == "**") {
			bold = !bold
			out = out (bold ? "\\fB" : "\\fR")
			n = 2
		} else if (match(s, /^\*[A-Za-z][^*]*[A-Za-z]\*/)) {
			n = RLENGTH
			code = substr(s, 2, n - 2)
			out = out "\\fI" inline(code) "\\fR"
		} else if (c == "[" && match(s, /^\[[^\]]*\]\([^)]*\)/)) {
			n = RLENGTH
			code = substr(s, 2, index(s, "](") - 2)
			out = out inline(code)
		} else {
			out = out literal(c)
		}
		s = substr(s, n + 1)
	}
	return out
}

# No line of text is a request.
function line(s) {
	return s ~ /^[.']/ ? "\\&" s : s
}

function paragraph() {
	if (pending) print ".PP"
	pending = 0
}

# Prints the paragraph that was read; code and bold may go over its lines.
function end_text() {
	if (words != "") print line(inline(words))
	words = ""
}

function expand(s,   at) {
	while (at = index(s, "\t"))
		s = substr(s, 1, at - 1) substr("        ", 1, 8 - (at - 1) % 8) substr(s, at + 1)
	return s
}

# --- Tables: cells[row, column] of n_rows and n_columns, the first row their heads ---

function read_row(s,   n, at, c, rest) {
	sub(/^\| */, "", s)
	n = 0
	rest = ""
	while (s != "") {
		at = match(s, /\\.|`[^`]*`| *\|( |$)/)
		if (!at) break
		c = substr(s, at, 1)
		if (c == "\\" || c == "`") {
			rest = rest substr(s, 1, at + RLENGTH - 1)
		} else {
			cells[n_rows, ++n] = rest substr(s, 1, at - 1)
			rest = ""
		}
		s = substr(s, at + RLENGTH)
		if (c != "\\" && c != "`") sub(/^ +/, "", s)
	}
	if (n > n_columns) n_columns = n
}

# A cell in a list of rows, with the head of its column; the meaning needs none.
function print_cell(r, c) {
	if (n_columns > 2 && cells[1, c] != "" && cells[1, c] != "meaning")
		print "\\fI" inline(cells[1, c]) "\\fR: " inline(cells[r, c])
	else
		print line(inline(cells[r, c]))
}

# A list of rows: the first cell, below it the meaning, then the others.
function print_list(   r, c, first, pass) {
	for (r = 2; r <= n_rows; r++) {
		print ".TP"
		print line(cells[r, 1] == "" ? "\\&" : inline(cells[r, 1]))
		first = 1
		for (pass = 0; pass < 2; pass++)
			for (c = 2; c <= n_columns; c++) {
				if (cells[r, c] == "" || pass == (cells[1, c] == "meaning")) continue
				if (!first) print ".br"
				print_cell(r, c)
				first = 0
			}
		if (first) print "\\&"
	}
	pending = 1
}

# What a cell takes on a line.
function width(s) {
	gsub(/`|\*\*|\\/, "", s)
	while (match(s, /\]\([^)]*\)/))
		s = substr(s, 1, RSTART - 1) substr(s, RSTART + RLENGTH)
	return length(s)
}

# The widths of columns, in shares[]: those that need little have it; others, 0, get rest_width, an equal part of the rest of a
# line. False: too little for words.
function share_line(   c, r, w, left, wide, again) {
	left = 70 - 3 * (n_columns - 1)
	wide = n_columns
	for (c = 1; c <= n_columns; c++) {
		natural[c] = 1
		shares[c] = 0
		for (r = 1; r <= n_rows; r++)
			if ((w = width(cells[r, c])) > natural[c]) natural[c] = w
	}
	do {
		again = 0
		for (c = 1; c <= n_columns; c++)
			if (!shares[c] && natural[c] <= left / wide) {
				shares[c] = natural[c]
				left -= natural[c]
				wide--
				again = 1
			}
	} while (again && wide > 0)
	rest_width = wide > 0 ? int(left / wide) : 0
	return wide == 0 || rest_width >= 14
}

function print_table(   r, c, format, row, text) {
	for (c = 1; c <= n_columns; c++)
		format = format (c > 1 ? " " : "") (shares[c] ? "l" : "lw(" rest_width "n)")
	print ".TS\n" format "."
	for (r = 1; r <= n_rows; r++) {
		row = ""
		for (c = 1; c <= n_columns; c++) {
			text = inline(cells[r, c])
			if (r == 1 && text != "") text = "\\fI" text "\\fR"
			if (!shares[c] && text != "") text = "T{\n" line(text) "\nT}"
			else if (c == 1) text = line(text)
			row = row (c > 1 ? "\t" : "") text
		}
		print row
	}
	print ".TE"
	pending = 1
}

function end_table() {
	if (n_rows == 0) return
	if (n_columns > 2 && share_line()) {
		paragraph()
		print_table()
	} else {
		print_list()
	}
	n_rows = n_columns = 0
	split("", cells)
}

# --- Lines ---

/^```/ {
	end_text()
	end_table()
	if (!fenced) {
		paragraph()
		print ".RS 4\n.EX"
	} else {
		print ".EE\n.RE"
		pending = 1
	}
	fenced = !fenced
	below_heading = 0
	next
}
fenced { print line(literal_text(expand($0))); next }
/^\| --- / { next }
/^\|/ { end_text(); n_rows++; read_row($0); below_heading = 0; next }
{ end_table() }
/^<!--.*-->$/ || /^!\[/ { next }
/^$/ { end_text(); pending = !below_heading; next }
{ below_heading = 0 }
/^#+ / {
	end_text()
	mark = $1
	text = substr($0, length(mark) + 2)
	gsub(/`/, "", text)
	level = length(mark) - shift
	text = level < 2 ? toupper(text) : text
	print (level < 2 ? ".SH \"" : ".SS \"") literal_text(text) "\""
	pending = 0
	below_heading = 1
	next
}
/^- / { end_text(); print ".IP \\(bu 2"; words = substr($0, 3); pending = 0; next }
/^[0-9]+\. / { end_text(); print ".IP " $1 " 4"; words = substr($0, length($1) + 2); pending = 0; next }
{
	sub(/^ +/, "")
	if (words == "") paragraph()
	words = words (words == "" ? "" : " ") $0
}
END { end_text(); end_table() }

# SPDX-License-Identifier: MIT
# A header's declarations with their comments, as Markdown (POSIX awk): what comes between two comments that begin a line, and
# below it what the first of them says. A comment `--- Title ---` is a heading.

function flush() {
	sub(/\n+$/, "", code)
	if (code != "") print "```\n" code "\n```\n"
	if (doc != "") print doc "\n"
	code = doc = ""
}

function add_doc(s) {
	sub(/ *\*\/$/, "", s)
	sub(/^ *\/?\** */, "", s)
	if (doc != "" || s != "") doc = doc (doc == "" ? "" : "\n") s
}

# A function with its parameters on lines of their own where they do not fit one.
function add_function(s,   line, part, n, i, parts, rest) {
	gsub(/[ \t]+/, " ", s)
	sub(/ \* /, " *", s)
	rest = substr(s, index(s, ";") + 1)
	n = split(substr(s, 1, index(s, ";")), parts, ", ")
	line = parts[1]
	for (i = 2; i <= n; i++) {
		part = parts[i]
		line = line ","
		if (length(line) + length(part) > 68) {
			code = code line "\n"
			line = "       "
		}
		line = line " " part
	}
	code = code line rest "\n"
}

/SPDX-License-Identifier/ || /^#/ || /^extern "C"/ || /^}$/ { next }
/^\/\* --- .* --- \*\/$/ { flush(); gsub(/^\/\* --- | --- \*\/$/, ""); print "# " $0 "\n"; next }
/^\/\*/ { flush(); in_doc = 1 }
in_doc { add_doc($0); in_doc = !/\*\/$/; next }
/^$/ { if (doc == "" || code != "") flush(); next }
/^ATOMSIM_API / { open = substr($0, 13); if (/;/) { add_function(open); open = "" } next }
open != "" { open = open " " $0; if (/;/) { add_function(open); open = "" } next }
{ code = code $0 "\n" }
END { flush() }

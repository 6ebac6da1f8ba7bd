#!/bin/bash
# SPDX-License-Identifier: MIT
# The numbers of docs/papers/study.md against the CSVs that it speaks of, so that a page which `make study` has
# left behind is noticed. A cell of the page must be the CSV's number, rounded as the cell is.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
data=$SOURCE/plots/study
page=$SOURCE/docs/papers/study.md

# cells HEADING: the table whose header begins with it, a row a line, cells parted by one |
cells() {
	awk -v heading="| $1" '
		index($0, heading) == 1 { inside = 1; getline; next }
		!/^\|/ { inside = 0 }
		inside { gsub(/^\| *| *\|$/, ""); gsub(/ *\| */, "|"); print }' "$page"
}

# compare NAME HEADING: lines "cell|cell|..." in $work/data are what the rows of the table must be
compare() {
	cells "$2" >"$work/page"
	if [ -s "$work/page" ] && diff -u --label "docs/papers/study.md" --label "plots/study" \
		"$work/page" "$work/data" >"$work/diff"; then
		ok "$1"
	else
		not_ok "$1" "$work/diff"
	fi
}

# group: the number at the end of each line in groups of three digits
group() {
	sed -E ':again; s/([0-9])([0-9]{3}(,[0-9]{3})*)$/\1,\2/; t again'
}

# Fewest cycles of each design over R, and the gains.
awk -F, '
	function note(design) { if (!((design, $3) in best) || $6 < best[design, $3]) best[design, $3] = $6 }
	$1 == "none" && $5 == 0 { note("mod") }
	$1 == "none" { note("padded") }
	$1 == "both" && $2 == "ipoly" && $5 == 0 { note("both") }
	END {
		for (bins = 32; bins <= 4096; bins *= 2) {
			mod = best["mod", bins]; padded = best["padded", bins]; both = best["both", bins]
			name = bins < 1000 ? bins : int(bins / 1000) "," sprintf("%03d", bins % 1000)
			printf "%s|%.1f|%.1f|%.1f|%.1f|%.2f\n", name, mod / 1000, padded / 1000, both / 1000,
				mod / both, padded / both
		}
	}' "$data/histogram.csv" >"$work/data"
compare "the best number of copies of each design" "bins |"

# extremes FILE WHERE: the best and the worst gain without padding, where the best is, and what the design costs
extremes() {
	awk -F, -v where="$2" '
		$5 != 0 { next }
		$1 == "none" { base[$3, $4] = $6 }
		$1 == where && $2 == "ipoly" {
			gain = base[$3, $4] / $6
			if (gain > best) { best = gain; at = $3 " bins, R = " $4 }
			if (!worst || gain < worst) worst = gain
			cost = $9
		}
		END { printf "%.1f|%s|%.2f|%s\n", best, at, worst, cost }' "$data/$1.csv" | group
}
{
	echo "banks, whole kernel|$(extremes histogram banks)"
	echo "locks, whole kernel|$(extremes histogram locks)"
	echo "both, whole kernel|$(extremes histogram both)"
	echo "both, one warp alone|$(extremes warp both)"
} >"$work/data"
compare "the most and the least that hashing gains at the same R" "hashed with \`ipoly\`, at"

# hough LABEL LANES RHOS R PADDING: gains of banks, locks, both
hough() {
	awk -F, -v label="$1" -v point="$2,$3,$4,$5" '
		$3 "," $4 "," $5 "," $6 != point { next }
		$1 == "none" { base = $7 }
		$2 == "ipoly" { gain[$1] = base / $7 }
		END { printf "%s|%.2f|%.2f|%.2f\n", label, gain["banks"], gain["locks"], gain["both"] }' \
		"$data/hough.csv"
}
{
	hough "pixels, 1,024 bins of rho, R = 8" pixels 1024 8 0
	hough "pixels, 512 bins, R = 8" pixels 512 8 0
	hough "pixels, 512 bins, R = 16" pixels 512 16 0
	hough "the same, padded" pixels 512 16 1
	hough "angles, 512 bins" angles 512 1 0
	hough "angles, 256 bins" angles 256 1 0
	hough "angles, 1,024 bins" angles 1024 1 0
} >"$work/data"
compare "what hashing gains of a Hough transform" "hashed with \`ipoly\` | banks"

# The first column is named in words on the page.
awk -F, 'NR > 1 {
	if ($1 == "none") { base = $4; next }
	line = line sprintf("|%.2f", base / $4)
	if ($2 == "found") { print line "|" $8 "|" $7; line = "" }
}' "$data/found.csv" | group >"$work/found"
cells "program" | cut -d'|' -f1 | paste -d'\0' - "$work/found" >"$work/data"
compare "what found hashes gain" "program"
done_testing

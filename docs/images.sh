#!/bin/bash
# SPDX-License-Identifier: MIT
# Draws docs/images/ again, by the commands that the pages show. `make update-golden` calls it, with ATOMSIM and SOURCE set.
# Needs gnuplot for the figures, and chromium for the picture of the HTML report.
set -eu -o pipefail
images=$SOURCE/docs/images
work=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-images.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The page of a report, cut to its title, figures, first advice, and the source around the hottest line.
page() {
	local page=$work/report.html
	"$ATOMSIM" run --config h200 --reproducible weighted --report "$page" >/dev/null
	cat >>"$page" <<'END'
<script>
{
	const hide = (parts) => { for (const part of parts) part.style.display = 'none'; };
	const all = (selector, within = document) => [...within.querySelectorAll(selector)];
	const find = (words) => all('section').find((section) => section.querySelector('h2').textContent.startsWith(words));
	const source = find('Source'), advice = find('What to change');
	const lines = all('pre > div', source), hot = lines.findIndex((line) => line.textContent.includes('atomicAdd(&sums'));
	hide(all('section').filter((section) => section !== source && section !== advice));
	hide(all('nav, header p, details'));
	hide(all('.facts > div').slice(4));
	hide(lines.filter((line, i) => i < hot - 6 || i > hot + 2));
	advice.before(source);
	document.title = hot < 0 ? 'no such line' : 'cut';
}
</script>
END
	chromium_run --dump-dom "file://$page" | grep -q '<title>cut</title>' ||
		{ echo "images.sh: a part of docs/images/report.png is not in the report" >&2; return 1; }
	chromium_run --hide-scrollbars --window-size=800,780 --screenshot="$work/report.png" "file://$page"
	mv "$work/report.png" "$images/report.png"
}
chromium_run() {
	timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" "$@" 2>"$work/chromium.log"
}

sweep() { # NAME OPTION...
	local name=$1
	shift
	"$ATOMSIM" sweep "$@" -o "$work/$name" 2>/dev/null
	mv "$work/$name/plot.svg" "$images/$name.svg"
}

"$ATOMSIM" explain --config fermi --addresses "5 5 1029 37 9 9 41 3" --svg "$work/explain.svg" >/dev/null
mv "$work/explain.svg" "$images/explain.svg"
if command -v gnuplot >/dev/null; then
	sweep copies --config h200 --vary what_if.replicate=1,2,4,8,16,32 --vary what_if.pad=0,1 weighted \
		--plot x=what_if.replicate y=cycles series=what_if.pad
	sweep locks --config fermi --vary atomic.locks=64..4096:*2 --vary atomic.lock_hash=mod,xor,ipoly histogram \
		--plot x=atomic.locks y=cycles series=atomic.lock_hash
	"$ATOMSIM" run --config h200 --reproducible weighted --plot "$work/states.svg" >/dev/null
	mv "$work/states.svg" "$images/states.svg"
	sweep front --config fermi --vary atomic.locks=64..4096:*2 --vary atomic.lock_hash=mod,xor,ipoly histogram \
		--plot x=cost_bits y=cycles front=yes
	bash "$SOURCE/plots/gains.sh" >"$work/gains.csv"
	mv "$work/gains.csv" "$SOURCE/plots/gains.csv"
	(cd "$SOURCE/plots" && gnuplot gains.gp)
fi
bash "$SOURCE/docs/rooms.sh" "$SOURCE/docs/dev/architecture.md" >"$work/rooms.svg"
mv "$work/rooms.svg" "$images/rooms.svg"
if command -v chromium >/dev/null; then
	page
fi

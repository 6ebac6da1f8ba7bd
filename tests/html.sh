#!/bin/bash
# SPDX-License-Identifier: MIT
# The page of --report, in a real browser: it draws everything, complains of nothing, and needs nothing else.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

largest=$(find "$SOURCE/traces" -maxdepth 1 -name '*.bin' -printf '%s %p\n' | sort -n | tail -n 1 | cut -d' ' -f 2-)
"$ATOMSIM" run --config fermi.json --reproducible --report "$work/page.html" "$largest" >"$work/report" ||
	not_ok "the page of the largest shipped trace can be written" "$work/report"
check "it is smaller than 3 MB" test "$(wc -c <"$work/page.html")" -lt 3000000
# The only address in it is the name of SVG's language, which nobody looks up.
grep -oE '(https?:)?//[a-z0-9.]+\.[a-z]+[^"]*' "$work/page.html" | grep -v '^http://www.w3.org/2000/svg$' >"$work/addresses"
check "it refers to no other place" test ! -s "$work/addresses"
# The figures are those of the other formats.
"$ATOMSIM" run --config fermi.json --reproducible --format json "$largest" | grep -oE '"resident_warp_cycles":[0-9]+' >"$work/figure"
# Its lines add up to the run's figures: sum_of NAME PAGE is over all lines.
sum_of() {
	sed -n 's/.*"lines":\(\[{"label".*\]\),"heat".*/\1/p' "$2" | grep -oE "\"$1\":[0-9]+" | awk -F: '{ n += $2 } END { printf "%.0f\n", n }'
}
figure_of() {
	grep -oE "\"$1\":[0-9]+" "$2" | head -n 1 | cut -d: -f 2
}
for trace in transpose torch-bincount; do
	"$ATOMSIM" run --config h200.json --reproducible --report "$work/lines.html" $trace >"$work/report"
	check "lines of $trace have all further passes" test "$(sum_of passes "$work/lines.html")" -eq "$(figure_of conflict_passes "$work/lines.html")"
	check "and all of the warps' time" test "$(sum_of cycles "$work/lines.html")" -eq "$(figure_of resident_warp_cycles "$work/lines.html")"
done
check "it has the figures of --format json" grep -qFf "$work/figure" "$work/page.html"

# in_browser NAME PAGE [OPTION]...: $work/NAME.dom is what the browser made of it, $work/NAME.said what it said
in_browser() {
	local name=$1 page=$2
	shift 2
	timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/$name.profile" \
		--enable-logging=stderr --v=0 "$@" --dump-dom "file://$page" >"$work/$name.dom" 2>"$work/$name.said"
	grep -E 'CONSOLE' "$work/$name.said" >"$work/$name.console"
}

if command -v chromium >/dev/null; then
	in_browser page "$work/page.html"
	check "the browser's console is empty" test ! -s "$work/page.console"
	for title in "Warp states" "Hot source lines" "Source: " "Retries by cause" \
		"lane by lane and round by round" "Banks over time" "Lock failures over time" "Rounds of atomics" \
		"Wavefronts of accesses" "Hot words, locks and banks" "What to change"; do
		check "it draws: $title" grep -qE "<h2[^>]*>[^<]*$title" "$work/page.dom"
	done
	check "no text says null" test -s "$work/page.dom" -a -z "$(grep -oE '(^|>)null<' "$work/page.dom")"
	# What it is, why, and what helps come first.
	check "causes and what to change come first" grep -qE '^<h2[^>]*>Causes</h2><h2[^>]*>What to change</h2>' \
		<(grep -oE '<h2[^>]*>[^<]*</h2>' "$work/page.dom" | tr -d '\n')
	check "advice names a place of the program" grep -qE 'class="dim">histogram\.cu:[0-9]+ · bytes' "$work/page.dom"
	# The contents lead to each section.
	check "each section is in the contents" test "$(grep -oE '<a href="#s[0-9]+"' "$work/page.dom" | sort -u | wc -l)" -eq \
		"$(grep -oE '<h2 id="s[0-9]+"' "$work/page.dom" | sort -u | wc -l)"
	# On a desktop and on a phone nothing is beyond the right edge but what scrolls by itself. A frame, as windows have a least width.
	for width in 1280 390; do
		cat >"$work/width.html" <<EOF
<iframe id="frame" src="page.html" style="width:${width}px;height:900px;border:0" onload="
const it = frame.contentDocument.documentElement, cut = [...it.querySelectorAll('.scroll')].filter((each) =>
	each.querySelector('table') && each.scrollWidth > each.clientWidth); document.title = it.scrollWidth + ' of ' + it.clientWidth + ', ' + cut.length"></iframe>
EOF
		in_browser width "$work/width.html" --allow-file-access-from-files --window-size=1400,1000 --hide-scrollbars
		check "nothing is cut off in $width pixels, and no table scrolls" grep -qF "<title>$width of $width, 0</title>" "$work/width.dom"
	done
	# Every picture says in words what it shows.
	check "no picture is without a name" test "$(grep -oE '<svg [^>]*>' "$work/page.dom" | grep -vc 'aria-label="[^"]')" -eq 0
	# Arrow keys step through the rounds of an atomic, and stop at its ends.
	{
		cat "$work/page.html"
		cat <<'EOF'
<script>
const box = document.querySelector('[aria-label^="rounds of an atomic"]'), said = () => /Round \d+ of \d+/.exec(document.body.textContent)[0];
const press = (key, on = box) => { on.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true})); return `${key}: ${said()}`; };
document.title = [said(), ...["ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp", "x", "End", "Home"].map((key) => press(key)),
	press("ArrowDown", [...document.querySelectorAll("button")].find((button) => button.textContent === "Next")),
	press("]", document.body), press("[", document.body), press("End", document.body), press("}", document.body), press("{", document.body)].join(", ");
</script>
EOF
	} >"$work/keys.html"
	in_browser keys "$work/keys.html"
	rounds=$(grep -oE '<title>Round 1 of [0-9]+' "$work/keys.dom" | grep -oE '[0-9]+$')
	check "the costliest atomic has rounds to step through" test "${rounds:-0}" -gt 2
	check "arrow keys step through them" grep -qF "<title>Round 1 of $rounds, ArrowLeft: Round 1 of $rounds, ArrowRight: Round 2 of $rounds, ArrowDown: Round 3 of $rounds, ArrowUp: Round 2 of $rounds, x: Round 2 of $rounds, End: Round $rounds of $rounds, Home: Round 1 of $rounds, ArrowDown: Round 2 of $rounds, ]: Round 3 of $rounds, [: Round 2 of $rounds, End: Round 2 of $rounds, }: Round $rounds of $rounds, {: Round 1 of $rounds</title>" "$work/keys.dom"
	# WCAG AA: figures and code of the line that is lit most have a contrast of 4.5 to its background.
	{
		cat "$work/page.html"
		cat <<'EOF'
<script>
const parts = (color) => color.match(/[\d.]+/g).map(Number);
const light = (color) => color.slice(0, 3).map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
	.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const paper = parts(getComputedStyle(document.body).backgroundColor);
const ratios = [...document.querySelectorAll(".code [style]")].flatMap((row) => {
	const [r, g, b, a = 1] = parts(getComputedStyle(row).backgroundColor);
	const back = light([r, g, b].map((c, i) => a * c + (1 - a) * paper[i]));
	return [...row.children].map((child) => light(parts(getComputedStyle(child).color))).map((ink) => (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05));
});
document.title = `${ratios.length} texts, ${ratios.filter((ratio) => ratio < 4.5).length} too faint`;
</script>
EOF
	} >"$work/contrast.html"
	for scheme in light dark; do
		in_browser contrast "$work/contrast.html" --blink-settings=preferredColorScheme="$([ $scheme = dark ] && echo 0 || echo 1)"
		check "lit lines of the source are legible ($scheme)" grep -qE '<title>[1-9][0-9]* texts, 0 too faint</title>' "$work/contrast.dom"
	done
	# The test itself can fail: a page whose data are cut off.
	sed 's/"report":{/"report":{{/' "$work/page.html" >"$work/bad.html"
	in_browser bad "$work/bad.html"
	check "a broken page is found out" test -s "$work/bad.console"
else
	skip "in a browser" "no chromium"
fi
done_testing

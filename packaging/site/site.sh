#!/bin/bash
# SPDX-License-Identifier: MIT
# The site: all pages of docs/, with search, and reports to look at, as files that any web server (or none) can give out.
#
#   packaging/site/site.sh BUILD SITE
#
# BUILD has the program. It needs Debian's mkdocs and mkdocs-material. mkdocs takes the pages as they are, has the
# search in the browser, and asks no other host; check.py follows each link of what it made.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
site=$2
command -v mkdocs >/dev/null || {
	echo "site: no mkdocs here; on Debian: apt-get install mkdocs mkdocs-material" >&2
	exit 1
}
export LC_ALL=C.UTF-8 ATOMSIM_CONFIG_PATH=$source/configs ATOMSIM_TRACE_PATH=$source/traces
work=$(mktemp -d "${TMPDIR:-/tmp}/atomsim-site.XXXXXX")
trap 'rm -rf "$work"' EXIT

status=0
python3 "$source/packaging/site/assemble.py" "$source" "$work" || status=1

# Reports as the program writes them: a trace and a machine each.
mkdir -p "$work/src/reports"
{
	echo "# Reports to look at"
	echo
	echo "Each is one file, as \`atomsim --config CONFIG TRACE --report FILE.html\` writes it."
	echo
	while read -r trace config says; do
		"$build/atomsim" --config "$config" "$trace" --reproducible --report "$work/src/reports/$trace-$config.html" \
			>"$work/said"
		echo "- <a href=\"$trace-$config.html\">$trace on $config</a>: $says"
	done <<-'END'
		weighted h200 float atomics of a histogram, which are loops there
		histogram fermi a histogram on lock bits
		transpose h200 bank conflicts and nothing else
		transpose-padded h200 the same kernel with a word of padding
		kmeans-lock fermi spin locks around sums
		torch-bincount h200 an operation of PyTorch
	END
} >"$work/src/reports/index.md"
mkdocs build -q --strict -f "$work/mkdocs.yml" -d "$work/site"
python3 "$source/packaging/site/check.py" "$work/site" || status=1
rm -rf "$site"
cp -R "$work/site" "$site"
echo "$site/index.html"
exit $status

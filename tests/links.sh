#!/bin/bash
# SPDX-License-Identifier: MIT
# Every relative link of a Markdown page leads to a file or folder of the project, and what it names behind # is one of that page's headings.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$SOURCE" || exit 99

command -v perl >/dev/null ||skip "links" "no perl"
find . -name '*.md' ! -path './build*' ! -path './.git/*' ! -path './release/*' | sort | perl -e '
	use strict;
	use warnings;
	use File::Basename qw(dirname);

	my (%anchors, $n);

	# Anchors as GitHub and GitLab make them: small letters, no punctuation, spaces as hyphens, -1 and so on behind equal ones.
	sub anchors {
		my ($page) = @_;
		return $anchors{$page} if $anchors{$page};
		my (%found, %seen, $fenced);
		open my $file, "<:utf8", $page or return {};
		while (local $_ = <$file>) {
			$fenced = !$fenced if /^```/;
			$found{$1} = 1 while !$fenced && /<a (?:id|name)="([^"]+)"/g;
			next if $fenced || !/^#+ +(.*?)\s*$/;
			my $name = $1;
			$name =~ s/\[([^]]*)\]\([^)]*\)/$1/g;
			$name = lc $name;
			$name =~ s/[^\w\- ]//g;
			$name =~ s/ /-/g;
			my $k = $seen{$name}++;
			$found{$k ? "$name-$k" : $name} = 1;
		}
		return $anchors{$page} = \%found;
	}

	while (my $page = <STDIN>) {
		chomp $page;
		my ($fenced, $line) = (0, 0);
		open my $file, "<:utf8", $page or die "$page: $!";
		while (<$file>) {
			$line++;
			$fenced = !$fenced if /^```/;
			next if $fenced;
			s/`[^`]*`//g;
			while (/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g) {
				my ($path, $anchor) = split /#/, $1, 2;
				my $at = "$page:$line";
				next if $path =~ /^[a-z]+:/;
				$n++;
				my $to = $path eq "" ? $page : dirname($page) . "/$path";
				print "$at: $path: no such file\n" and next if !-e $to;
				print "$at: $path#$anchor: no such heading\n"
					if defined $anchor && $to =~ /\.md$/ && !anchors($to)->{$anchor};
			}
		}
	}
	print STDERR "$n\n";
' >"$work/wrong" 2>"$work/count"
check "links between pages lead somewhere" test ! -s "$work/wrong"
[ ! -s "$work/wrong" ] || sed 's/^/# /' "$work/wrong"
check "there are some: $(cat "$work/count")" test "$(cat "$work/count")" -gt 100
done_testing

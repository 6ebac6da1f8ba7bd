#!/bin/bash
# SPDX-License-Identifier: MIT
# Holds what users read to the words of docs/dev/style.md: pages, help of every command, strings of the sources, expected output.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$SOURCE" || exit 99

if ! command -v perl >/dev/null; then
	skip "words" "no perl"
	done_testing
	exit
fi

# Help as pages, which are not in the checkout: FILE is "help/COMMAND".
mkdir "$work/help"
for command in $("$ATOMSIM" list commands | awk 'NR > 1 && $1 { print $1 }'); do
	"$ATOMSIM" "$command" --help >"$work/help/$command"
done
for command in info check dump import pack assemble; do
	"$ATOMSIM" trace "$command" --help >"$work/help/trace-$command"
done
for workload in $("$ATOMSIM" list workloads | awk 'NR > 1 && $1 { print $1 }'); do
	"$ATOMSIM" gen "$workload" --help >"$work/help/gen-$workload"
done
"$ATOMSIM" --help >"$work/help/atomsim"

# Prints FILE:LINE: WORD for each banned word, but for the allowed ones.
find_words() {
	{
		find README.md docs -name '*.md' ! -path docs/dev/style.md
		find src tests/cli -name '*.[ch]' -o -name '*.test'
		find "$work/help" -type f
	} | sort | WORK="$work/" perl -e '
	use strict;
	use warnings;

	my (@words, %allowed);
	sub pattern {
		my ($word) = @_;
		my $p = join "\\s+(?:[>!#*]\\s+)?", map { my $q = quotemeta; $q =~ s/\\\*/\\w*/g; $q } split / /, $word;
		return $p;
	}
	open my $style, "<", "docs/dev/style.md" or die;
	while (<$style>) {
		next if !/^\| (`[^|]*) \|/;
		my $cell = $1;
		push @words, pattern($1) while $cell =~ /`([^`]+)`/g;
	}
	die "no words\n" if @words < 30;
	my $all = join "|", @words;

	# FILE or *, a tab, the phrase in which the word is allowed, a tab, the reason.
	open my $file, "<", "tests/words-allowed.txt" or die;
	while (<$file>) {
		next if /^#/;
		chomp;
		my ($where, $phrase, $reason) = split /\t/;
		die "tests/words-allowed.txt:$.: no reason\n" if !$reason;
		push @{$allowed{$where}}, pattern($phrase);
	}

	# What is not for readers becomes blanks, so that lines keep their numbers.
	sub blank { my ($t) = @_; $t =~ s/[^\n]/ /g; return $t; }
	sub strings_alone {
		my ($text) = @_;
		my ($from, $public) = ("", $_[1]);
		while ($text =~ m{\G(/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\x27(?:[^\x27\\\n]|\\.)*\x27|.)}gs) {
			my $t = $1;
			# A single word is a name; texts have blanks.
			my $text = $t =~ /^"/ && $t =~ / / || $public && $t =~ m{^/\*};
			$from .= $text ? $t =~ s/\\[nt"]/  /gr : blank($t);
		}
		# A sentence goes on in the next literal.
		return $from =~ s/"/ /gr;
	}

	while (my $path = <STDIN>) {
		chomp $path;
		open my $in, "<:utf8", $path or die "$path: $!";
		my $text = do { local $/; <$in> };
		my $name = $path =~ s/^\Q$ENV{WORK}\E//r;
		$text = strings_alone($text, $path eq "src/atomsim.h") if $path =~ /\.[ch]$/;
		$text =~ s/^(?![>!]).*$//gm if $path =~ /\.test$/;
		for my $phrase (map { @{$allowed{$_} || []} } $name, "*") {
			$text =~ s/\b$phrase\b/blank($&)/gei;
		}
		while ($text =~ /(?<![\w.\/|-])(?:$all)(?![\w|-])/gi) {
			my ($word, $before) = ($&, substr $text, 0, $-[0]);
			$word =~ s/\s+/ /g;
			printf "%s:%d: %s\n", $name, 1 + ($before =~ tr/\n//), $word;
		}
	}'
}

# A page with two such words, which must be found.
printf 'A fence stands\nbehind a store.\n' >"$work/help/example"
find_words >"$work/found" || exit 99
check "a banned word is found" test "$(grep -c '^help/example:' "$work/found")" -eq 2
rm "$work/help/example"
grep -v '^help/example:' "$work/found" >"$work/wrong"
if [ -s "$work/wrong" ]; then
	not_ok "no page, help, report or message has a banned word" "$work/wrong"
else
	ok "no page, help, report or message has a banned word"
fi
check "help was read: $(find "$work/help" -size +0 | wc -l) pages" test "$(find "$work/help" -type f -size -1 | wc -l)" -eq 0
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
# Holds what users read to the words of docs/dev/style.md: pages, help of every command, strings of the sources, expected output,
# docstrings, the notebook, descriptions of packages.
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
		find README.md docs plots measurements -name '*.md' ! -path docs/dev/style.md
		find src tests/cli python docs -name '*.[ch]' -o -name '*.test' -o -name '*.py' -o -name '*.ipynb'
		echo debian/control
		echo src/gpu/capture/capture.sh
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
		my $comment = $_[2] ? qr/#[^\n]*/ : qr{/\*.*?\*/|//[^\n]*}s;
		while ($text =~ m{\G($comment|"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\x27(?:[^\x27\\\n]|\\.)*\x27|.)}gs) {
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
		$text = strings_alone($text, $path eq "src/atomsim.h", $path =~ /\.py$/) if $path =~ /\.(?:[ch]|py|ipynb)$/;
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

# Prints FILE:LINE: WORDS, and the sentence, for each of more than 30 words. A cell and an item of a list end a sentence; code is one word.
find_long() {
	perl -e '
	use strict;
	use warnings;

	for my $page (@ARGV) {
		my ($fenced, $line, $text) = (0, 0, "");
		my $end = sub {
			$text =~ s/`[^`]*`/code/g;
			$text =~ s/\[([^]]*)\]\([^)]*\)/$1/g;
			for my $sentence (split /(?<=[.!?])[")*\x27]*\s+/, $text) {
				my $n = () = $sentence =~ /\w\S*/g;
				printf "%s:%d: %d words: %s\n", $page, $line, $n, $sentence =~ s/\s+/ /gr if $n > 30;
			}
			$text = "";
		};
		open my $in, "<:utf8", $page or die "$page: $!";
		while (<$in>) {
			$end->() if /^\s*```|^\s*$|^[#|<]|^\s*(?:[-*]|\d+\.)\s/;
			$fenced = !$fenced if /^\s*```/;
			next if $fenced || /^\s*```|^[#<]/;
			$line = $. if $text eq "";
			for my $cell (/^\|/ ? split /\|/ : $_) {
				$text .= $cell =~ s/^\s*(?:[-*]|\d+\.)\s+//r;
				$end->() if /^\|/;
			}
		}
		$end->();
	}' "$@"
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
# A sentence of 30 words and one of 31, over two lines.
words_30=$(printf 'word %.0s' {1..30})
printf -- '- %s.\n- One\n  %s! Short.\n' "${words_30% }" "${words_30% }" >"$work/long.md"
check "a long sentence is found" test "$(find_long "$work/long.md" | cut -d: -f2-3)" = "2: 31 words"
find_long README.md docs/getting-started.md docs/guide/*.md >"$work/wrong" || exit 99
if [ -s "$work/wrong" ]; then
	not_ok "no sentence of README.md and the guides has over 30 words" "$work/wrong"
else
	ok "no sentence of README.md and the guides has over 30 words"
fi
done_testing

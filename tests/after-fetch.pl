#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# after-fetch.pl FILE...: in these C files, what reads a field of a warp behind a call that may fetch the warp's next record:
# the record is another one by then. Such a call is one of fetch_next, or of a function from which that is reached. Behind it a
# pointer to a Warp or a Record may not be used before it is set again, nor sm->warps[slot] be read.
#
# What lies behind a call: the rest of its statement and its block, up to a return, and what follows the blocks around it; behind
# one in a condition, all that follows. A loop's next round is not looked at: it sets its pointers anew.
use strict;
use warnings;

my $roots = qr/fetch_next|exec_of_kind/; # exec_of_kind: the table of all kinds of records
my (@functions, %may_fetch);

# Comments and strings go, places stay.
sub without_comments {
	my ($text) = @_;
	$text =~ s{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')}{ my $c = $1; $c =~ s/[^\n]/ /g; $c }gse;
	return $text;
}

foreach my $file (@ARGV) {
	open(my $in, '<', $file) or die "$file: $!\n";
	local $/ = undef;
	my $text = without_comments(<$in>);
	while ($text =~ /^(static [^;{}]*?|[A-Za-z][^;{}#=]*?)\b(\w+)(\([^;{}]*\))\n\{(.*?)^\}/msg) {
		my ($type, $name, $parameters, $body, $before) = ($1, $2, $3, $4, substr($text, 0, $-[4]));
		push @functions, { file => $file, static => $type =~ /^static/ && $file !~ /\.h$/, name => $name,
			parameters => $parameters, body => $body, line => 1 + ($before =~ tr/\n//) };
	}
}

sub key { my ($f) = @_; return $f->{static} ? "$f->{file}:$f->{name}" : $f->{name}; }

# The names by which a file's code calls what may fetch.
sub calls {
	my ($file) = @_;
	my @names = map { /^\Q$file\E:(\w+)$/ ? $1 : /:/ ? () : $_ } keys %may_fetch;
	return join('|', $roots, @names);
}

my $n = -1;
while ($n != keys %may_fetch) {
	$n = keys %may_fetch;
	foreach my $f (@functions) {
		my $calls = calls($f->{file});
		$may_fetch{key($f)} = 1 if $f->{body} =~ /(?<![.>\w])(?:$calls)\b/;
	}
}
die "nothing fetches\n" if $n < 10;

# What runs behind the statement that ends at $at.
sub behind {
	my ($body, $at) = @_;
	my ($text, $depth) = ('', 0);
	while ($at < length $body) {
		my $rest = substr($body, $at);
		return $text . $1 if $depth == 0 && $rest =~ /^\s*(return\b[^;]*;)/;
		if ($rest =~ /^\s*else\b/ && $depth == 0) { # the other branch
			$rest =~ /^\s*else\b(?:\s*if\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s*/;
			$at += length $&;
			if (substr($body, $at, 1) eq '{') {
				my $open = 0;
				do {
					my $c = substr($body, $at++, 1);
					$open += $c eq '{' ? 1 : $c eq '}' ? -1 : 0;
				} while ($open > 0);
			} else {
				substr($body, $at) =~ /^[^;]*;/ and $at += length $&;
			}
			next;
		}
		my $c = substr($body, $at++, 1);
		$depth += $c eq '{' ? 1 : $c eq '}' && $depth > 0 ? -1 : 0;
		$text .= $c;
	}
	return $text;
}

foreach my $f (@functions) {
	next if $f->{name} eq 'fetch_next';
	my $calls = calls($f->{file});
	my $body = $f->{body};
	my %pointers = map { $_ => 1 } "$f->{parameters};$body" =~ /\b(?:Warp|Record|Section|WaitLoop)\s*\*\s*(?:const\s+)?(\w+)/g;
	while ($body =~ /(?<![.>\w])(?:$calls)\b/g) {
		my ($place, $at) = ($-[0], $+[0]);
		my ($statement) = substr($body, 0, $place) =~ /([^;{}]*)$/;
		my $is_condition = $statement =~ /^\s*(?:if|while|for|switch)\b/ && ($statement =~ tr/(//) > ($statement =~ tr/)//);
		# What the call is made with is read before it.
		substr($body, $at) =~ /^(?:\[[^\]]*\]|\))?\s*(\((?:[^()]|(?1))*\))?/ and $at += $+[0];
		my $text = $is_condition ? substr($body, $at) : behind($body, $at);
		my $line = $f->{line} + (substr($body, 0, $place) =~ tr/\n//);
		foreach my $pointer (sort keys %pointers) {
			$text =~ /(?<![\w.>])\Q$pointer\E\b\s*(=(?!=))?/ or next;
			print "$f->{file}:$line: $f->{name} uses $pointer behind a call that may fetch the next record\n" if !$1;
		}
		print "$f->{file}:$line: $f->{name} reads a warp behind a call that may fetch its next record\n"
			if $text =~ /\bwarps\[\w+\]\s*\./;
	}
}

#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# circles.pl BUILD: circles of calls among the files of src/ that BUILD has objects of, one a line: each of these files calls each
# other one, if by way of others. That a file names another's data, as a table names its rows, is no call. Says on stderr where nm finds nothing.
use strict;
use warnings;
use File::Find;

my ($build) = @ARGV;
my (@objects, %file_of, %defines, %wants, %calls);

find({ wanted => sub { push @objects, $_ if /\.o$/ }, no_chdir => 1 }, "$build/src");
for my $object (@objects) {
	my $name = $object =~ s/^\Q$build\E\///r =~ s/\.libs\///r =~ s/\.o$/.c/r;
	$file_of{$object} = $name if -e $name; # objects of files that are gone stay
}
open my $nm, '-|', 'nm', '-A', sort keys %file_of or die "nm: $!\n";
while (<$nm>) {
	my ($object, $kind, $symbol) = /^(.*?\.o):[0-9a-f ]*(\w) (\S+)/ or next;
	my $file = $file_of{$object} or next;
	$defines{$symbol}{$file} = 1 if $kind eq 'T';
	$wants{$file}{$symbol} = 1 if $kind eq 'U';
}
close $nm or die "nm failed\n";
die "no object under $build/src defines a function\n" if !%defines;
for my $file (keys %wants) {
	$calls{$file}{$_} = 1 for grep { $_ ne $file } map { keys %{ $defines{$_} // {} } } keys %{ $wants{$file} };
}

# Tarjan: files that reach each other.
my (%number, %low, @stack, %on_stack);
sub visit {
	my ($file) = @_;
	$number{$file} = $low{$file} = keys %number;
	push @stack, $file;
	$on_stack{$file} = 1;
	for my $other (keys %{ $calls{$file} // {} }) {
		if (!defined $number{$other}) {
			visit($other);
			$low{$file} = $low{$other} if $low{$other} < $low{$file};
		} elsif ($on_stack{$other} && $number{$other} < $low{$file}) {
			$low{$file} = $number{$other};
		}
	}
	return if $low{$file} != $number{$file};
	my @circle;
	do { push @circle, pop @stack; $on_stack{ $circle[-1] } = 0 } until $circle[-1] eq $file;
	print join(' ', sort @circle), "\n" if @circle > 1;
}
no warnings 'recursion';
for my $file (sort keys %calls) {
	visit($file) if !defined $number{$file};
}

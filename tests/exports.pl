#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# exports.pl BUILD: what a file of src/ that BUILD has an object of shows to others and no other file uses, neither of src/ nor of tests/,
# one a line. What atomsim.h shows is for others.
use strict;
use warnings;
use File::Find;

my ($build) = @ARGV;
my (%file_of, %defined_in, %used_by, %in_tests);

find({ wanted => sub {
	return if !/\.o$/;
	my $name = s/^\Q$build\E\///r =~ s/\.libs\///r =~ s/\.o$/.c/r;
	$file_of{$_} = $name if -e $name; # objects of files that are gone stay
}, no_chdir => 1 }, "$build/src");
open my $nm, '-|', 'nm', '-A', sort keys %file_of or die "nm: $!\n";
while (<$nm>) {
	my ($object, $kind, $symbol) = /^(.*?\.o):[0-9a-f ]*(\w) (\S+)/ or next;
	my $file = $file_of{$object} or next;
	$defined_in{$symbol} = $file if $kind =~ /^[TDRBW]$/;
	$used_by{$symbol}{$file} = 1 if $kind eq 'U';
}
close $nm or die "nm failed\n";
find({ wanted => sub {
	return if !/\.[ch]$/;
	open my $in, '<', $_ or die "$_: $!\n";
	local $/;
	$in_tests{$_} = 1 for <$in> =~ /\w+/g;
}, no_chdir => 1 }, 'tests');
for my $symbol (sort keys %defined_in) {
	next if $symbol =~ /^(atomsim_|__|(main|vasprintf)$)/ || $in_tests{$symbol}; # libc's that cli/memory.c replaces
	print "$symbol $defined_in{$symbol}\n" if !grep { $_ ne $defined_in{$symbol} } keys %{ $used_by{$symbol} // {} };
}

#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Faults that the tests must find: generated ones, and those of by-hand.txt. `make mutants` runs it, and sets its environment.
#
#   tests/mutants/mutants.pl [-n MUTANTS] [-o OFFSET] [-j JOBS] [-p PERCENT] [ROOM]...
#
#   -n  generated mutants of each room (default 10), drawn by what their lines are: a change elsewhere draws the same ones
#   -o  other ones (default 0; up to 15)
#   -j  mutants at a time (default 2)
#   -p  exit status 1 if fewer percent are killed (default 95)
#
# A room is one of @rooms, or by-hand. A mutant changes one comparison, assignment, constant, operator or early return; one that does not
# compile, or compiles to the same code, gives way to the next place. It is killed by the first test that fails or that
# takes four times as long as it should. It meets only tests that enter its function: those that killed many of the room in little
# time first, then those that take the least. A test is a program, a script, or a file of tests/cli/, and ends with its first failure.
#
# BUILD/mutants, or MUTANTS_BUILD, is the folder of its own build. There covered has of each test how long it takes and what functions of rooms it enters, until the test changes; results has the
# verdicts by what the mutated file holds: a run that was ended goes on. What a test has killed is killed until that test changes;
# what survived meets the tests alone that it has not met. Other changes of the program count for nothing: for figures that are to
# be published remove both files first. equivalent.txt has the mutants that change nothing a user can see, each with its reason.
use strict;
use warnings;
use Cwd qw(abs_path);
use Data::Dumper;
use Digest::SHA qw(sha256_hex);
use Fcntl qw(:flock);
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use File::Spec;
use Getopt::Std;

my @rooms = qw(sim/run sim/sm sim/locks sim/memory model/atomic model/shared model/issue model/memory gpu/convert gpu/sass
	trace config replay report library transform explore validate);
my %options = (n => 10, o => 0, j => 2, p => 95);
getopts('n:o:j:p:', \%options) or exit 2;

my $source = abs_path($ENV{SOURCE} // '.');
my $build = $ENV{MUTANTS_BUILD} // abs_path($ENV{BUILD} // '.') . '/mutants';
my $data = "$source/tests/mutants";
my (%results, %met, %seconds, %enters, %hash_of, %kills);
my %measured; # by test: rooms

sub read_file {
	my ($path) = @_;
	open(my $file, '<', $path) or die "$path: $!\n";
	local $/;
	return scalar <$file>;
}

sub write_file {
	my ($path, $text) = @_;
	open(my $file, '>', $path) or die "$path: $!\n";
	print $file $text;
	close($file) or die "$path: $!\n";
}

# --- The build: all rooms in one shared library, of which a mutant has its own -------------------

my ($compile, @objects, @tests);

sub run_make {
	system('make', '-s', '-j', $options{j}, '-C', $build, @_) == 0 or die "mutants: make @_ failed\n";
}

# link_rooms FILE [OBJECT, ITS REPLACEMENT]
sub link_rooms {
	my ($library, $object, $replacement) = @_;
	my @all = map { defined $object && $_ eq $object ? $replacement : $_ } @objects;
	return system('cc', '-shared', '-Wl,-soname,librooms.so', '-o', $library, @all) == 0;
}

# But for its last words.
sub compile_command {
	my ($path) = @_;
	return "$compile -iquote '$source/" . dirname($path) . "'";
}

sub source_of {
	my ($object) = @_;
	return $object =~ s/\.libs\/(.*)\.o$/$1.c/r;
}

sub build_all {
	my @words = @_; # tests
	if (!-e "$build/Makefile") {
		make_path($build);
		my $cc = $ENV{CC} || 'cc';
		my $configure = File::Spec->abs2rel("$source/configure", $build); # as in other builds, for ccache
		system("cd '$build' && '$configure' -q CC='$cc' CFLAGS='-g -O2 -fvisibility=default -fno-semantic-interposition'") == 0
			or die "mutants: configure failed\n";
	}
	run_make('librooms.la', map { s/\.c$/.lo/r } map { s/^\Q$source\E\///r } glob("$source/src/library/*.c"));
	my $line = qx(make -s -C '$build' --eval 'print-compile: ; \@\$(info \$(COMPILE))' print-compile);
	chomp $line;
	# What is read before it is set is the same each time, and seldom right. Without columns of lines same code is the same file.
	$compile = "$line -fPIC -w -g0 -ftrivial-auto-var-init=pattern";
	@objects = sort grep { -e "$source/" . source_of($_) } # a source may have gone since
		split /\n/, qx(cd '$build' && find src -path '*/.libs/*.o' -not -path 'src/cli/*');
	chdir $build;
	link_rooms("$build/librooms.so") or die "mutants: the library of all rooms cannot be linked\n";
	run_make("all_libraries=$build/librooms.so \$(DEPS_LIBS) -lm",
		"tests_test_library_LDADD=tests/environment.o $build/librooms.so \$(DEPS_LIBS) -lm",
		(grep { /\.(sh|test)$/ } @words) ? 'atomsim' : (), grep { !/\.(sh|test)$/ } @words);
}

# Runs a test with the library in this folder: '' if it passes, else what the mutant is. One that hangs or takes all memory fails.
# Its limit is of processor time, so that a busy machine changes no verdict.
sub run_test {
	my ($test, $folder) = @_;
	my $limit = int(5 + 4 * ($seconds{$test} // 100));
	my $wall = 10 * $limit;
	my $command = $test =~ /\.test$/ ? "bash '$source/tests/cli.sh' '$source/$test'"
		: $test =~ /\.sh$/ ? "bash '$source/$test'" : "'$build/$test'";
	local $ENV{LD_LIBRARY_PATH} = $folder;
	local $ENV{STOP_AT_FAILURE} = 1; # tests/tap.sh
	my $status = system("ulimit -v 8000000; ulimit -c 0; ulimit -t $limit; timeout -k 1 $wall $command >'$folder/log' 2>&1");
	return '' if $status == 0;
	my $code = $status >> 8;
	return $code == 124 || $code == 137 || $code == 128 + 24 ? 'timeout' : 'killed';
}

# --- Places where a mutant can be made -------------------------------------------------------------

# The line without what is in strings, characters and comments, each as long as it was.
sub code_of {
	my ($line) = @_;
	my $code = '';
	while ($line =~ /\G(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\*.*?\*\/|\/\*.*|\/\/.*)|(.))/g) {
		$code .= defined $1 ? ' ' x length $1 : $2;
	}
	return $code;
}

# Mutants of one line: [its new text].
sub mutants_of_line {
	my ($line, $code, $before) = @_;
	my @found;
	my $change = sub {
		my ($at, $length, $new) = @_;
		my $text = $line;
		substr($text, $at, $length) = $new;
		push @found, [$at, $text];
	};
	my %swaps = ('<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>', '==' => '!=', '!=' => '==', '&&' => '||',
		'||' => '&&', '+=' => '-=', '-=' => '+=', '|=' => '=', '+' => '-', '-' => '+', '%' => '/', '*' => '+', '/' => '*');
	while ($code =~ / (<=|>=|==|!=|&&|\|\||\+=|-=|\|=|[<>+\-%*\/])(?= )/g) {
		my ($at, $operator) = ($-[1], $1);
		if ($operator eq '<' && $code =~ /\bfor \(/) {
			$change->($at, 1, '+ 1 <'); # without its last round
		} elsif ($operator ne '*' || substr($code, 0, $at) !~ /^\t+(?:const )?\w+ $/) {
			$change->($at, length $operator, $swaps{$operator});
		}
	}
	# More memory than is used, nobody sees.
	while ($code !~ /g_new|alloc/ && $code =~ /(?<![\w.\[\-])(\d+)u?(?![\w.xX])/g) {
		my ($at, $length, $n) = ($-[1], length $1, $1);
		$change->($at, $length, $n eq '0' ? '1' : $n + 1) if $n < 1 << 20;
	}
	while ($code =~ /(?<=[ (])!(?=[\w(])/g) {
		$change->($-[0], 1, '');
	}
	# A statement that is left out: an assignment, a count, a call, a return before the end. What is not freed, only a
	# sanitizer sees; what is not locked, only luck.
	if ($code !~ /free|unref|_clear\(|mutex|close\(/ && $code =~ /^(\t+)(\*?[\w>.\[\]\-]+ [|&+\-*\/]?= .*;|[\w>.\[\]\-]+(?:\+\+|--);|\w+\([^=]*\);)\s*$/) {
		$change->(length $1, length $2, ';');
	}
	if ($before =~ /\)\s*$/ && $code =~ /^(\t\t+)(return\b.*;)\s*$/) {
		$change->(length $1, length $2, ';');
	}
	return map { $_->[1] } sort { $a->[0] <=> $b->[0] } @found;
}

# All of a file: [path, line number from 0, old line, new line].
sub mutants_of_file {
	my ($path) = @_;
	my @lines = split /\n/, read_file("$source/$path");
	my ($inside, $skip, $comment, $before, @found) = (0, 0, 0, '');
	for my $i (0 .. $#lines) {
		my $line = $lines[$i];
		if ($comment) { # of several lines
			$comment = 0 if $line =~ /\*\//;
			next;
		}
		my $code = code_of($line);
		$comment = 1 if $line =~ /\/\*(?!.*\*\/)/;
		$inside = 1 if $line =~ /^\{/;
		$inside = 0 if $line =~ /^\}/;
		$skip = 1 if $code =~ /\bstatic const\b|\bg_assert|G_STATIC|_prefetch\(/;
		push @found, map { [$path, $i, $line, $_] } mutants_of_line($line, $code, $before) if $inside && !$skip;
		$skip = 0 if $code =~ /;\s*$/;
		$before = $code;
	}
	return @found;
}

sub mutants_of_room {
	my ($room) = @_;
	my @files = sort split /\n/, qx(cd '$source' && find 'src/$room' -name '*.c' -not -path 'src/gpu/capture/*');
	return map { mutants_of_file($_) } @files;
}

# Blocks of lines: "FILE" or "FILE N", the N-th such line; "- OLD"; "+ NEW" (none: the line goes); "= REASON".
sub read_list {
	my ($name) = @_;
	my @list;
	for my $block (split /\n\n+/, read_file("$data/$name")) {
		my @lines = grep { !/^#/ } split /\n/, $block;
		next if !@lines;
		my ($path, $n) = split / /, shift @lines;
		my %parts = map { /^([-+=]) ?(.*)/ or die "$name: '$_'\n"; ($1 => $2) } @lines;
		push @list, {path => $path, n => $n // 1, old => $parts{'-'}, new => $parts{'+'} // '', reason => $parts{'='}};
	}
	return @list;
}

sub trim { return $_[0] =~ s/^\s+|\s+$//gr }

# Where a block's line is today. Dies if it is not there: the list must follow the code.
sub place_of {
	my ($block, $name) = @_;
	my @lines = split /\n/, read_file("$source/$block->{path}");
	my @at = grep { trim($lines[$_]) eq trim($block->{old}) } 0 .. $#lines;
	die "tests/mutants/$name: $block->{path} has no line '$block->{old}'"
		. ($block->{n} > 1 ? " ($block->{n})" : '') . "\n" if @at < $block->{n};
	my $i = $at[$block->{n} - 1];
	return [$block->{path}, $i, $lines[$i], $block->{new}];
}

# --- One mutant ---------------------------------------------------------------------------------------

sub mutated_text {
	my ($mutant) = @_;
	my ($path, $i, undef, $new) = @$mutant;
	my @lines = split /\n/, read_file("$source/$path"), -1;
	$lines[$i] = $new;
	return join "\n", @lines;
}

# Compiles it into the folder; false if that fails or gives what was there.
sub compile {
	my ($mutant, $text, $folder) = @_;
	my $path = $mutant->[0];
	my $object = dirname($path) . '/.libs/' . basename($path, '.c') . '.o';
	my $file = "$folder/" . basename($path);
	write_file($file, $text);
	system(compile_command($path) . " -c '$file' -o '$folder/mutant.o' 2>/dev/null") == 0
		or return 0;
	write_file($file, read_file("$source/$path"));
	if (!-e "$folder/../plain/$path.o") {
		make_path("$folder/../plain/" . dirname($path));
		system(compile_command($path) . " -c '$file' -o '$folder/plain.o'");
		rename("$folder/plain.o", "$folder/../plain/$path.o");
	}
	return 0 if system('cmp', '-s', "$folder/mutant.o", "$folder/../plain/$path.o") == 0;
	return link_rooms("$folder/librooms.so", $object, "$folder/mutant.o");
}

sub try_mutant {
	my ($mutant, $text, $folder, $order) = @_;
	return ('same', '-') if !compile($mutant, $text, $folder);
	for my $test (@$order) {
		my $verdict = run_test($test, $folder);
		return ($verdict, $test) if $verdict;
	}
	return ('survived', '-');
}

# The first of these that is a mutant: [verdict, test, mutant, its key].
sub try_first {
	my ($candidates, $folder, $equivalent) = @_;
	make_path($folder);
	for my $mutant (@$candidates) {
		my $text = mutated_text($mutant);
		my $key = sha256_hex($mutant->[0], $text);
		return ['equivalent', '-', $mutant, $key] if $equivalent->{join "\n", $mutant->[0], $mutant->[1], trim($mutant->[3])};
		my $order = order_of($mutant);
		my @left = grep { !$met{$key}{$hash_of{$_}} } @$order;
		my ($verdict, $test) = $results{$key} ? @{$results{$key}}
			: @left == 0 ? ('survived', '-') : try_mutant($mutant, $text, $folder, \@left);
		return [$verdict, $test, $mutant, $key] if $verdict ne 'same';
	}
	return ['same', '-', $candidates->[0], ''];
}

# --- All ------------------------------------------------------------------------------------------------

sub read_results {
	return if !-e "$build/results";
	for (split /\n/, read_file("$build/results")) {
		my ($key, $verdict, $test, $hashes) = split /\t/;
		if ($verdict eq 'survived') {
			$met{$key}{$_} = 1 for split /,/, $hashes;
		} elsif ($hashes eq ($hash_of{$test} // '')) {
			$results{$key} = [$verdict, $test];
		}
	}
}

sub hash_tests {
	my @parts = map { [$_, -e "$source/$_.c" ? "$source/$_.c" : "$source/$_"] } @tests;
	for (@parts) {
		my ($test, $path) = @$_;
		my $text = $test =~ /replay-(.*)/ ? read_file("$source/tests/fuzz/fuzz-$1.c") : read_file($path);
		$hash_of{$test} = substr sha256_hex($text), 0, 12;
	}
}

# The rooms that mutants are made in.
sub wanted_rooms {
	return @ARGV && !grep({ $_ eq 'by-hand' } @ARGV) ? @ARGV : @rooms;
}

# A library of all rooms that says what it enters of those that are wanted.
sub build_covered {
	my ($folder) = @_;
	my $wanted = join '|', map { quotemeta } wanted_rooms();
	my @said = grep { m{^src/(?:$wanted)/} } @objects;
	my @all = ((map { "$folder/$_" } @said), grep { !m{^src/(?:$wanted)/} } @objects);
	my $makefile = "all: $folder/librooms.so\n$folder/librooms.so: @all $folder/covered.o\n"
		. "\tcc -shared -Wl,-soname,librooms.so -o \$@ \$^\n"
		. "$folder/covered.o: $data/covered.c\n\tcc -O2 -fPIC -c -o \$@ \$<\n";
	for my $object (@said) {
		make_path(dirname("$folder/$object"));
		my $path = source_of($object);
		$makefile .= "$folder/$object: $object\n\t" . compile_command($path)
			. " -g1 -finstrument-functions -finstrument-functions-exclude-file-list=/usr -c $source/$path -o \$@\n";
	}
	write_file("$folder/Makefile", $makefile);
	unlink "$folder/librooms.so"; # perhaps of other rooms
	system('make', '-s', '-j', $options{j}, '-f', "$folder/Makefile", 'all') == 0
		or die "mutants: the library that says what it enters cannot be built\n";
}

# "FILE:FUNCTION" of each that was entered.
sub functions_entered {
	my ($folder) = @_;
	my $entered = read_file("$folder/entered");
	my @at;
	push @at, sprintf('%x', $-[0]) while $entered =~ /\x01/g;
	write_file("$folder/at", join '', map { "$_\n" } @at);
	my @lines = split /\n/, qx(addr2line -f -e '$folder/librooms.so' <'$folder/at');
	my %functions;
	while (my ($name, $place) = splice @lines, 0, 2) {
		$functions{"$1:$name"} = 1 if $place =~ /.*\b(src\/.*):\d+/;
	}
	return sort keys %functions;
}

sub read_covered {
	for (split /\n/, -e "$build/covered" ? read_file("$build/covered") : '') {
		my ($test, $hash, $time, $of, $functions) = split /\t/;
		next if $hash ne ($hash_of{$test} // '') || !defined $of || $of =~ /:/; # without rooms: of before
		$seconds{$test} = $time;
		$measured{$test}{$_} = 1 for split / /, $of;
		$enters{$test}{$_} = 1 for split / /, $functions // '';
	}
}

sub measure_test {
	my ($test, $folder) = @_;
	write_file("$folder/entered", '');
	truncate "$folder/entered", -s "$folder/librooms.so" or die "$folder/entered: $!\n";
	my @before = times;
	run_test($test, $folder) and die "mutants: $test fails without a mutant: $folder/log\n";
	my @after = times;
	my $time = sprintf '%.2f', $after[2] - $before[2] + $after[3] - $before[3];
	my $line = join("\t", $test, $hash_of{$test}, $time, join(' ', wanted_rooms()), join ' ', functions_entered($folder)) . "\n";
	open(my $file, '>>', "$build/covered") or die "$build/covered: $!\n";
	flock($file, LOCK_EX);
	print $file $line;
	close($file) or die "$build/covered: $!\n";
}

# What each test enters and how long it takes, that being more than without a count of it.
sub measure_tests {
	read_covered();
	my @new = grep { my $test = $_; grep { !$measured{$test}{$_} } wanted_rooms() } @tests or return;
	build_covered("$build/covered-build");
	for my $k (0 .. $options{j} - 1) {
		next if fork // die "mutants: fork: $!\n";
		my $folder = "$build/covered-$k";
		make_path($folder);
		symlink "$build/covered-build/librooms.so", "$folder/librooms.so";
		local $ENV{COVERED} = "$folder/entered";
		measure_test($new[$_], $folder) for grep { $_ % $options{j} == $k } 0 .. $#new;
		exit 0;
	}
	while (wait > 0) {
		die "mutants: the tests cannot be measured\n" if $?;
	}
	read_covered();
}

sub home_of { return dirname($_[0][0]) =~ s/^src\///r }

# A mutant's "FILE:FUNCTION".
sub function_of {
	my ($mutant) = @_;
	my ($path, $i) = @$mutant;
	my @lines = map { s/__attribute__\(\(.*?\)\)//r } split /\n/, read_file("$source/$path");
	$i-- while $i > 0 && $lines[$i] !~ /^[a-zA-Z].*?\b\w+\(/;
	return "$path:" . ($lines[$i] =~ /^[a-zA-Z].*?\b(\w+)\(/ ? $1 : '');
}

# The tests that a mutant meets.
sub order_of {
	my ($mutant) = @_;
	my ($home, $function) = (home_of($mutant), function_of($mutant));
	my %cost = map { $_ => (0.1 + $seconds{$_}) / (0.2 + ($kills{$home}{$_} // 0)) } @tests;
	my @entering = grep { $enters{$_}{$function} } @tests;
	# One that is always inlined nobody enters: those that enter any of its file.
	@entering = grep { grep { /^\Q$mutant->[0]\E:/ } keys %{$enters{$_}} } @tests if !@entering;
	return [sort { $cost{$a} <=> $cost{$b} || $a cmp $b } @entering];
}

# A number from 0 to 1 that a mutant keeps while its line stays as it is.
sub drawn {
	my ($mutant) = @_;
	my ($path, undef, $old, $new) = @$mutant;
	return hex(substr sha256_hex(join "\n", $path, trim($old), trim($new)), 0, 8) / 2**32;
}

# Jobs: [room, candidates].
sub choose {
	my ($room) = @_;
	return map { [$room, [place_of($_, 'by-hand.txt')]] } read_list('by-hand.txt') if $room eq 'by-hand';
	my @all = sort { $a->[0] <=> $b->[0] || $a->[1][1] <=> $b->[1][1] } map { [drawn($_), $_] } mutants_of_room($room);
	return map {
		my $from = ($_ + $options{o} / 16) / $options{n};
		my @behind = ((grep { $_->[0] >= $from } @all), @all);
		my $last = $#behind < 20 ? $#behind : 20;
		[$room, [map { $_->[1] } @behind[0 .. $last]]]
	} 0 .. $options{n} - 1;
}

sub keep {
	my ($room, $result, $rows) = @_;
	my ($verdict, $test, $mutant, $key) = @$result;
	my ($path, $i, $old, $new) = @$mutant;
	$rows->{$room}{$verdict}++;
	$kills{home_of($mutant)}{$test}++ if $test ne '-';
	printf "%-10s %-12s %s:%d: %s -> %s%s\n", $verdict, $room, $path, $i + 1, trim($old), trim($new),
		$test eq '-' ? '' : " [$test]";
	return if $verdict eq 'same' || $verdict eq 'equivalent' || $results{$key};
	my $hashes = $test ne '-' ? $hash_of{$test} : join ',', map { $hash_of{$_} } @{order_of($mutant)};
	$results{$key} = [$verdict, $test];
	open(my $file, '>>', "$build/results") or die "$build/results: $!\n";
	print $file join("\t", $key, $verdict, $test, $hashes), "\n";
}

sub run_jobs {
	my ($jobs, $equivalent) = @_;
	my (%running, %rows);
	my $collect = sub {
		my $pid = wait;
		my ($room, $file) = @{delete $running{$pid}};
		my $result = do $file or die "mutants: a job failed\n";
		keep($room, $result, \%rows);
		unlink $file;
	};
	my $n = 0;
	for my $job (@$jobs) {
		my ($room, $candidates) = @$job;
		my $slot = (grep { my $s = $_; !grep { $_->[2] == $s } values %running } 0 .. $options{j} - 1)[0];
		my $file = "$build/job-" . $n++;
		my $pid = fork // die "mutants: fork: $!\n";
		if ($pid == 0) {
			my $result = try_first($candidates, "$build/slot-$slot", $equivalent);
			write_file($file, '+' . Data::Dumper->new([$result])->Terse(1)->Dump);
			exit 0;
		}
		$running{$pid} = [$room, $file, $slot];
		$collect->() while keys %running >= $options{j};
	}
	$collect->() while %running;
	return \%rows;
}

sub print_table {
	my ($rows) = @_;
	my %all;
	printf "\n%-14s %7s %7s %7s %8s %10s %6s\n", qw(room mutants killed timeout survived equivalent share);
	my $print = sub {
		my ($room, $row) = @_;
		my ($killed, $timeout, $survived, $equivalent) = map { $row->{$_} // 0 } qw(killed timeout survived equivalent);
		my $n = $killed + $timeout + $survived;
		printf "%-14s %7d %7d %7d %8d %10d %5.1f%%\n", $room, $n, $killed, $timeout, $survived, $equivalent,
			$n ? 100 * ($killed + $timeout) / $n : 100;
		return $n ? 100 * ($killed + $timeout) / $n : 100;
	};
	for my $room (@rooms, 'by-hand') {
		next if !$rows->{$room};
		$print->($room, $rows->{$room});
		$all{$_} += $rows->{$room}{$_} for keys %{$rows->{$room}};
	}
	return $print->('all', \%all);
}

$| = 1;
my %cli = ('tests/cli.sh' => [map { s/^\Q$source\E\///r } sort glob("$source/tests/cli/*.test")]);
@tests = map { $cli{$_} ? @{$cli{$_}} : $_ } split ' ', $ENV{MUTANT_TESTS} // die "mutants: `make mutants' runs this\n";
build_all(@tests);
$ENV{ATOMSIM} = "$build/atomsim";
$ENV{BUILD} = $build;
my @jobs = map { choose($_) } @ARGV ? @ARGV : (@rooms, 'by-hand');
hash_tests();
measure_tests();
read_results();
my %equivalent = map { my $m = place_of($_, 'equivalent.txt'); (join("\n", $m->[0], $m->[1], trim($m->[3])) => $_->{reason}) }
	read_list('equivalent.txt');
my $share = print_table(run_jobs(\@jobs, \%equivalent));
exit($share < $options{p} ? 1 : 0);

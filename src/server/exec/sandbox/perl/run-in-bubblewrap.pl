# Runs a command inside of the sandbox that bubblewrap made, with the descriptors that start-bubblewrap.pl has opened.

my $first = $settings->{firstDescriptor} + @{$settings->{ownSettings}} + 1;
open(my $input, "<&=", $first) or die "input: $!\n";
open(STDIN, "<&", $input) or die "input: $!\n";
close $input;
open(my $environment, "<&=", $first + 1) or die "variables: $!\n";
open(my $report, ">&=", $first + 2) or die "report: $!\n";
run_alone($environment, $report);

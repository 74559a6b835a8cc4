# Runs a command inside of the sandbox that bubblewrap made, with the descriptors that start-bubblewrap.pl has opened.

my $first = $settings->{firstDescriptor} + @{$settings->{ownSettings}};
open(my $input, "<&=", $first) or die "input: $!\n";
open(STDIN, "<&", $input) or die "input: $!\n";
close $input;
open(my $environment, "<&=", $first + 1) or die "variables: $!\n";
open(my $report, ">&=", $first + 2) or die "report: $!\n";
# Another account's user namespace was made by bubblewrap.
if ($settings->{isRoot}) {
  leave_root();
  enter_user_namespace($settings->{innerId});
  give_up_privileges();
}
run_command($environment, $report);

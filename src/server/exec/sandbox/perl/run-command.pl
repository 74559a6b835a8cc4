# The last step inside of a sandbox.

# Makes a process group the one that a terminal's keys are for.
my $TIOCSPGRP = 0x5410;

# Sets the limits, enters the directory as the account that may, and runs the command in a process of its own, as this
# one may be the first of its namespace, which no signal of a terminal could end. The command has a group of its own:
# what it sends to its group does not reach the processes that hold it, and a shell in a terminal gives the terminal
# back to the group that had it, which must be one of its own namespace.
#
# Ends as the command does; see `supervise` for the two pipes. The arguments are the directory and the command.
sub run_command {
  my ($environment, $report) = @_;
  call("prlimit64", 0, $_->{resource}, pack("QQ", ($_->{value}) x 2), 0) for @{$settings->{limits}};
  my $directory = shift @ARGV;
  chdir $directory or die "$directory: $!\n";
  %ENV = map { split /=/, $_, 2 } split /\0/, do { local $/; <$environment> // "" };
  close $environment;
  forward_proxy($report);
  my $command = fork() // die "fork: $!\n";
  if ($command == 0) {
    close $report;
    setpgrp(0, 0) or die "process group: $!\n";
    if (-t STDIN) {
      local $SIG{TTOU} = "IGNORE";
      ioctl(STDIN, $TIOCSPGRP, my $group = pack("i", $$)) or die "terminal: $!\n";
    }
    $SIG{$_} = "DEFAULT" for @terminal_signals;
    exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
  }
  leave_input();
  1 until waitpid(-1, 0) == $command;
  syswrite $report, chr($? & 127) if $? & 127;
  exit to_exit_code($?);
}

# The last steps inside of a sandbox.

# Makes a process group the one that a terminal's keys are for.
my $TIOCSPGRP = 0x5410;
my $SIGNAL_INFO_BYTES = 128;
my $WNOHANG = 1;

# Leaves what only the making of the sandbox needed, and runs the command.
sub run_alone {
  my ($environment, $report) = @_;
  leave_root() if $settings->{isRoot};
  enter_user_namespace($settings->{innerId});
  my $mounts = hide_mounts();
  give_up_privileges();
  run_command($environment, $report);
}

# Sets the limits, enters the directory as the account that may, and runs the command in a process of its own, as this
# one may be the first of its namespace, which no signal of a terminal could end. The command has a group of its own:
# what it sends to its group does not reach the processes that hold it, and a shell in a terminal gives the terminal
# back to the group that had it, which must be one of its own namespace.
#
# Ends as the command does, or when the supervisor has ended; see `supervise` for the two pipes. The arguments are the
# directory and the command.
sub run_command {
  my ($environment, $report) = @_;
  call("prlimit64", 0, $_->{resource}, pack("QQ", ($_->{value}) x 2), 0) for @{$settings->{limits}};
  my $directory = shift @ARGV;
  chdir $directory or die "$directory: $!\n";
  %ENV = map { split /=/, $_, 2 } split /\0/, do { local $/; <$environment> // "" };
  close $environment;
  forward_proxy($report);
  # A command of the same account could otherwise change this process.
  call("prctl", $PR_SET_DUMPABLE, 0, 0, 0, 0);
  block_signals($SIGCHLD);
  my $command = fork() // die "fork: $!\n";
  if ($command == 0) {
    close $report;
    block_signals();
    setpgrp(0, 0) or die "process group: $!\n";
    if (-t STDIN) {
      local $SIG{TTOU} = "IGNORE";
      ioctl(STDIN, $TIOCSPGRP, my $group = pack("i", $$)) or die "terminal: $!\n";
    }
    $SIG{$_} = "DEFAULT" for @terminal_signals;
    exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
  }
  leave_input();
  wait_for($command, $report);
  syswrite $report, chr($? & 127) if $? & 127;
  exit to_exit_code($?);
}

# Waits for the end of a process, which `$?` then has, and ends all as soon as nobody reads `$report` any more.
sub wait_for {
  my ($command, $report) = @_;
  my $file = call("signalfd4", -1, to_signal_set($SIGCHLD), $SIGNAL_SET_BYTES, 0);
  open(my $signals, "<&=", $file) or die "signals: $!\n";
  while (1) {
    my $ready = "";
    # The end of a pipe that is written to is readable when it is broken.
    vec($ready, fileno $_, 1) = 1 for $signals, $report;
    select($ready, undef, undef, undef);
    exit 1 if vec($ready, fileno $report, 1);
    sysread($signals, my $signal, $SIGNAL_INFO_BYTES);
    while ((my $ended = waitpid(-1, $WNOHANG)) > 0) { return if $ended == $command }
  }
}

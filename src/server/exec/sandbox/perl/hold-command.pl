# Holds a command that runs without a sandbox, so that nothing of it is left when it or the server ends: processes whose
# parent has ended become children of this one, in whichever session they are. The arguments are the command.
#
# It is of the same account as the command, which may end it. What runs as another account, as by sudo, cannot be ended.

my ($PR_SET_PDEATHSIG, $PR_SET_CHILD_SUBREAPER) = (1, 36);
my $SIGTERM = 15;
# Makes a process group the one that a terminal's keys are for.
my $TIOCSPGRP = 0x5410;
my ($FIRST_FILE, $LAST_FILE) = (3, 0xffffffff);
my $WNOHANG = 1;
# Seconds between two looks for processes, and how often it looks.
my ($LOOK_SECONDS, $LOOKS) = (0.01, 500);

sub hold_command {
  call("close_range", $FIRST_FILE, $LAST_FILE, 0);
  $SIG{$_} = "DEFAULT" for grep { !/^(?:KILL|STOP)$/ } keys %SIG;
  block_signals();
  $SIG{$_} = "IGNORE" for @terminal_signals;
  $SIG{TERM} = sub { end_descendants(); exit 1 };
  call("prctl", $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  call("prctl", $PR_SET_PDEATHSIG, $SIGTERM, 0, 0, 0);
  exit 1 if getppid() != $settings->{server};
  my $command = fork_in_group(delete $ENV{PARLEY_EXEC_MEMORY_GROUP}) // die "fork: $!\n";
  start_held() if $command == 0;
  leave_input();
  1 until waitpid(-1, 0) == $command;
  my $status = $?;
  end_descendants();
  if (my $signal = $status & 127) {
    # A core dump of this process would show nothing of the command.
    call("prctl", $PR_SET_DUMPABLE, 0, 0, 0, 0);
    $SIG{$_} = "DEFAULT" for @terminal_signals, "TERM";
    kill $signal, $$;
  }
  exit to_exit_code($status);
}

# Becomes the command, in a group of its own: what it sends to its group does not reach the process that holds it.
sub start_held {
  setpgrp(0, 0) or die "process group: $!\n";
  if (-t STDIN) {
    local $SIG{TTOU} = "IGNORE";
    ioctl(STDIN, $TIOCSPGRP, my $group = pack("i", $$)) or die "terminal: $!\n";
  }
  $SIG{$_} = "DEFAULT" for @terminal_signals, "TERM";
  exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
}

# Those of a process that was just ended become children of this one, so it looks until there are none. The kernel can hold
# one that waits for a device.
sub end_descendants {
  for (1 .. $LOOKS) {
    my @found = find_descendants();
    return unless @found;
    kill "KILL", @found;
    1 while waitpid(-1, $WNOHANG) > 0;
    select undef, undef, undef, $LOOK_SECONDS;
  }
}

sub find_descendants {
  my %children;
  opendir(my $processes, "/proc") or die "/proc: $!\n";
  for my $pid (grep { /^\d+$/ } readdir $processes) {
    open(my $file, "<", "/proc/$pid/stat") or next;
    # The name, in parentheses, may have some and line breaks.
    my ($state, $parent) = do { local $/; <$file> // "" } =~ /.*\) (\S) (\d+)/s or next;
    push @{$children{$parent}}, $pid unless $state =~ /[ZX]/;
  }
  my @found = @{$children{$$} // []};
  # Grows while it is read.
  for my $pid (@found) { push @found, @{$children{$pid} // []} }
  return @found;
}

hold_command();

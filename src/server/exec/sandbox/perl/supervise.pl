# The process that a server starts for a command. It ends all that came from it when the server is gone, which a sandbox
# would do only from some ms after its start on.

my $PR_SET_PDEATHSIG = 1;
my $PR_SET_CHILD_SUBREAPER = 36;
my $PR_SET_NO_NEW_PRIVS = 38;
my $SECCOMP_SET_MODE_FILTER = 1;
my $SIGTERM = 15;
my $EINTR = 4;
my $INSTRUCTION_BYTES = 8;

# Those that stop a process unless it handles them: SIGSTOP, SIGTSTP, SIGTTIN and SIGTTOU. They end no command.
my @stop_signals = (19, 20, 21, 22);

# Applies the filter of system calls to this process, runs a function in a child process, and ends as the child does.
# The function does not return. It gets what it reads the command's variables from, which NUL characters separate, and
# what it writes the number of the signal to that ended the command, as the end of the child by itself tells no signal
# from an exit code; this process then ends by the same signal.
sub supervise {
  my ($run) = @_;
  my $gone = 0;
  $SIG{$_} = "IGNORE" for @terminal_signals;
  $SIG{TERM} = sub { $gone = 1 };
  # A signal between the check and the wait would be missed.
  $SIG{ALRM} = sub { alarm 1 };
  call("prctl", $PR_SET_PDEATHSIG, $SIGTERM, 0, 0, 0);
  call("prctl", $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  call("prctl", $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  exit 1 if getppid() != $settings->{server};
  my $code = pack("H*", $settings->{filter});
  my $filter = pack("S x6 P", length($code) / $INSTRUCTION_BYTES, $code);
  call("seccomp", $SECCOMP_SET_MODE_FILTER, 0, $filter);

  pipe(my $reports, my $report) or die "pipe: $!\n";
  my @variables = take_variables();
  pipe(my $environment, my $passed) or die "pipe: $!\n";
  my $child = fork() // die "fork: $!\n";
  if ($child == 0) {
    close $passed;
    $SIG{TERM} = $SIG{ALRM} = "DEFAULT";
    $run->($environment, $report);
  }
  leave_input();
  close $environment;
  close $report;
  alarm 1;
  eval {
    # The signal comes once for each thread of the server that ends.
    $SIG{TERM} = sub { $SIG{TERM} = "IGNORE"; die };
    die if $gone;
    pass_variables($passed, @variables);
    1 until waitpid(-1, 0) == $child;
    end_like_command($?, $reports);
  };
  $SIG{TERM} = "IGNORE";
  end_descendants();
}

# Takes the variables, which the server names V0, V1 and so on, and removes them from the memory that `/proc` shows as
# the environment. It is that of the first process of a namespace, too, where that is a copy of this one.
sub take_variables {
  my @variables = ();
  while (defined(my $variable = $ENV{"V" . @variables})) { push @variables, $variable }
  %ENV = ();
  open(my $status, "<", "/proc/self/stat") or die "/proc/self/stat: $!\n";
  my ($start, $end) = (split / /, <$status> =~ s/.*\) //r)[47, 48];
  close $status;
  # Some kernels forbid it; what is left can be read by the same account only.
  if (open(my $memory, "+<", "/proc/self/mem")) {
    sysseek $memory, $start, 0;
    syswrite $memory, "\0" x ($end - $start);
    close $memory;
  }
  return @variables;
}

# A pipe holds less than an environment can have, so the child reads while this is written.
sub pass_variables {
  my ($passed, @variables) = @_;
  $SIG{PIPE} = "IGNORE";
  my $text = join "\0", @variables;
  while (length $text) {
    my $written = syswrite $passed, $text;
    last unless defined $written || $! == $EINTR;
    substr($text, 0, $written // 0) = "";
  }
  close $passed;
}

# Ends by the signal that the command was ended by, or else with its exit code.
sub end_like_command {
  my ($status, $reports) = @_;
  my $code = to_exit_code($status);
  # After an end by itself all its processes are gone, so that this does not wait.
  my $reported = "";
  sysread($reports, $reported, 1) unless $status & 127;
  my $signal = ord $reported;
  # A command of the same account may write to the pipe, too, and must not stop this process.
  if ($signal && $code == 128 + $signal && !grep { $_ == $signal } @stop_signals) {
    # A core dump of this process would show nothing of the command.
    call("prctl", $PR_SET_DUMPABLE, 0, 0, 0, 0);
    $SIG{$_} = "DEFAULT" for @terminal_signals, qw(TERM ALRM PIPE);
    kill $signal, $$;
  }
  exit $code;
}

# Ends the children of this process until there are none; those that they leave behind become its children.
sub end_descendants {
  my $self = $$;
  while (1) {
    my @children = ();
    opendir(my $directory, "/proc") or die "/proc: $!\n";
    for my $pid (grep { /^\d+$/ } readdir $directory) {
      open(my $stat, "<", "/proc/$pid/stat") or next;
      push @children, $pid if (<$stat> // "") =~ /.*\) \S $self /;
    }
    kill KILL => @children;
    waitpid(-1, 0) > 0 or exit 1;
  }
}

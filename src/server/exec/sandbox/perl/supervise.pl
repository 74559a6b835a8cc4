# The process that a server starts for a command. The kernel ends it with the server. That breaks the pipe to the first
# process of the sandbox, which ends then, and the kernel ends all others of the sandbox with that.

my $PR_SET_PDEATHSIG = 1;
my $PR_SET_NO_NEW_PRIVS = 38;
my $SECCOMP_SET_MODE_FILTER = 1;
my $SIGKILL = 9;
my $INSTRUCTION_BYTES = 8;
my ($FIRST_FILE, $LAST_FILE) = (3, 0xffffffff);
# The kernel ends processes with the highest value first when the machine has no memory left.
my $OOM_SCORE = 1000;

# Variables before those of the command: paths of the host, which no command may see, not even as arguments of this.
my $PLACES = 3;

# Those that stop a process unless it handles them: SIGSTOP, SIGTSTP, SIGTTIN and SIGTTOU. They end no command.
my @stop_signals = (19, 20, 21, 22);

# Applies the filter of system calls to this process, runs a function in a child process, and ends as the child does.
# The function does not return. It gets what it reads the command's variables from, which NUL characters separate; what
# it writes the number of the signal to that ended the command, as the end of the child by itself tells no signal
# from an exit code; and the workspace, the second directory and the socket of the proxy, or empty texts. This process
# then ends by the same signal.
sub supervise {
  my ($run) = @_;
  leave_inherited();
  share_processors();
  $SIG{$_} = "IGNORE" for @terminal_signals;
  call("prctl", $PR_SET_PDEATHSIG, $SIGKILL, 0, 0, 0);
  exit 1 if getppid() != $settings->{server};
  call("prctl", $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  my $code = pack("H*", $settings->{filter});
  my $filter = pack("S x6 P", length($code) / $INSTRUCTION_BYTES, $code);
  call("seccomp", $SECCOMP_SET_MODE_FILTER, 0, $filter);

  # No other process may have the end that is read.
  pipe(my $reports, my $report) or die "pipe: $!\n";
  my $group = $ENV{PARLEY_EXEC_MEMORY_GROUP};
  my @variables = take_variables();
  my @places = splice @variables, 0, $PLACES;
  pipe(my $environment, my $passed) or die "pipe: $!\n";
  my $child = fork_in_group($group) // die "fork: $!\n";
  if ($child == 0) {
    close $passed;
    close $reports;
    $run->($environment, $report, @places);
  }
  leave_input();
  close $environment;
  close $report;
  pass_variables($passed, @variables);
  waitpid($child, 0);
  end_like_command($?, $reports);
}

# Leaves what the server has from those that started it: files, ignored and blocked signals, rights of new files.
sub leave_inherited {
  call("close_range", $FIRST_FILE, $LAST_FILE, 0);
  $SIG{$_} = "DEFAULT" for grep { !/^(?:KILL|STOP)$/ } keys %SIG;
  block_signals();
  umask 022;
  # A system may forbid it; then the server may be ended in place of a command.
  eval { put("/proc/self/oom_score_adj", $OOM_SCORE) };
}

# Stays on the processors that all commands of the server share. The filter lets no command leave them.
sub share_processors {
  my $set = pack("H*", $settings->{processors});
  call("sched_setaffinity", 0, length($set), $set) if length $set;
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
    last unless defined $written;
    substr($text, 0, $written) = "";
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
    $SIG{$_} = "DEFAULT" for @terminal_signals, "PIPE";
    kill $signal, $$;
  }
  exit $code;
}

# What all programs of a sandbox use. Perl can make system calls, and most systems have it; neither Node.js nor a shell
# can, and each further program that a sandbox starts with takes a millisecond or more.
#
# No program loads a module, as each one takes time at the start of each command, and as some systems have the core of
# Perl only. The tests compile each file with `strict` and `warnings`.

my $is_arm = $settings->{machine} eq "arm64";

# Numbers of the system calls on x64 and arm64 machines.
my %calls = (
  capset            => [126, 91],
  chroot            => [161, 51],
  clone3            => [435, 435],
  close_range       => [436, 436],
  dup3              => [292, 24],
  mount             => [165, 40],
  mount_setattr     => [442, 442],
  pivot_root        => [155, 41],
  prctl             => [157, 167],
  prlimit64         => [302, 261],
  rt_sigprocmask    => [14, 135],
  sched_setaffinity => [203, 122],
  seccomp           => [317, 277],
  setgroups         => [116, 159],
  signalfd4         => [289, 74],
  sethostname       => [170, 161],
  setresgid         => [119, 149],
  setresuid         => [117, 147],
  umount2           => [166, 39],
  unshare           => [272, 97],
);

my $PR_SET_DUMPABLE = 4;
my $MNT_DETACH = 2;
my ($SIG_SETMASK, $SIGNAL_SET_BYTES) = (2, 8);
my $SIGCHLD = 17;
my ($AF_UNIX, $AF_INET) = (1, 2);
my ($SOCK_STREAM, $SOCK_DGRAM) = (1, 2);

# Signals of a terminal: of its keys, and of its end. A sandbox's own processes are in the terminal's foreground until
# the command is. They ignore these signals, or would end before what they hold: at the keys they would take the command
# along, and at the end of the server they would leave it behind.
my @terminal_signals = qw(HUP INT QUIT TSTP);

# Sets the signals that this process does not get, by their numbers.
sub block_signals {
  call("rt_sigprocmask", $SIG_SETMASK, to_signal_set(@_), 0, $SIGNAL_SET_BYTES);
}

sub to_signal_set {
  my $set = "\0" x $SIGNAL_SET_BYTES;
  vec($set, $_ - 1, 1) = 1 for @_;
  return $set;
}

# Makes a system call whose failure is ignored. Numbers are passed as they are, texts as their address.
sub try_call {
  my ($name, @args) = @_;
  return syscall($calls{$name}[$is_arm ? 1 : 0], @args);
}

sub call {
  my ($name, @args) = @_;
  my $result = try_call($name, @args);
  return $result == -1 ? die "$name: $!\n" : $result;
}

# Writes a text to a file.
sub put {
  my ($file, $text) = @_;
  open(my $handle, ">", $file) or die "$file: $!\n";
  defined syswrite($handle, $text) or die "$file: $!\n";
}

# Leaves the input to the process that was just started: a command that closes its input is noticed only when no other
# process has it open.
sub leave_input {
  open(STDIN, "<", "/dev/null") or die "/dev/null: $!\n";
}

# Returns the exit code by which a shell would report the status of a process.
sub to_exit_code {
  my ($status) = @_;
  return $status & 127 ? 128 + ($status & 127) : $status >> 8;
}

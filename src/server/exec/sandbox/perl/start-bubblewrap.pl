# Starts bubblewrap, from outside of the sandbox. The arguments are the workspace, the second directory or an empty text,
# the program and its arguments.

supervise(sub {
  my ($environment, $report) = @_;
  my @directories = grep { length } splice @ARGV, 0, 2;
  give_to_commands(@directories) if $settings->{isRoot};

  # The sandbox gets descriptors, as a pseudo-terminal passes on none of the server: own settings, the input, the
  # variables, then the pipe for the signal. Bubblewrap's own processes keep their input open, but no other descriptor.
  # The environment is empty here: as the first process of its namespace, bubblewrap keeps what it was started with in
  # /proc/1/environ.
  my $descriptor = $settings->{firstDescriptor};
  # Descriptors up to this one stay open in other programs.
  $^F = $descriptor + @{$settings->{ownSettings}} + 2;
  my @files = ();
  for my $file (@{$settings->{ownSettings}}) {
    pipe(my $input, my $output) or die "pipe: $!\n";
    syswrite $output, $file->{text};
    close $output;
    push @files, $input;
  }
  open(my $input, "<&", \*STDIN) or die "input: $!\n";
  open(my $variables, "<&", $environment) or die "variables: $!\n";
  open(my $signals, ">&", $report) or die "report: $!\n";
  for my $file (@files, $input, $variables, $signals) {
    fileno($file) == $descriptor++ or die "The server left a file open.\n";
  }
  leave_input();
  exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
});

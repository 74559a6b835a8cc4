# Starts bubblewrap, from outside of the sandbox. The arguments are whether the command has the network of the host, and
# the program that runs in the sandbox with its arguments.

supervise(sub {
  my ($environment, $report, $workspace, $call, $proxy) = @_;
  my $network = shift @ARGV;
  give_to_commands(grep { length } $workspace, $call) if $settings->{isRoot};

  my @options = @{$settings->{options}};
  push @options, $network ? @{$settings->{withNetwork}} : "--unshare-net";
  push @options, "--bind", $workspace, $settings->{workspace};
  push @options, "--bind", $call, $settings->{callDirectory} if length $call;
  push @options, "--ro-bind", $proxy, $settings->{proxy}{path} if length $proxy;
  push @options, "--remount-ro", "/";

  # The sandbox gets descriptors: the options, which have paths of the host, and own settings; the input, the variables
  # and the pipe for the signal. The environment is empty here.
  my @texts = (join("\0", @options), map { $_->{text} } @{$settings->{ownSettings}});
  my @files = map { open_text($_) } @texts;
  my $descriptor = $settings->{firstDescriptor};
  my $program = $settings->{bubblewrap};
  unshift @ARGV, $program, "--args", $descriptor, "--";
  call("dup3", fileno $_, $descriptor++, 0) for @files, *STDIN, $environment, $report;
  leave_input();
  exec { $program } @ARGV or die "$program: $!\n";
});

# Returns what a text can be read from. A pipe holds 64 KB.
sub open_text {
  my ($text) = @_;
  pipe(my $input, my $output) or die "pipe: $!\n";
  syswrite $output, $text;
  return $input;
}

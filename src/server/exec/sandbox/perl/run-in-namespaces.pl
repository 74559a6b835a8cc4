# Makes a sandbox without another program, and runs a command in it. The arguments are whether the command has the network
# of the host, and what `run_command` takes.

supervise(sub {
  my ($environment, $report, $workspace, $call, $proxy) = @_;
  my $network = shift @ARGV;
  # Mounts of another account than root's need a namespace in which it is root.
  if ($settings->{isRoot}) { give_to_commands(grep { length } $workspace, $call) }
  else { enter_user_namespace(0) }
  enter_namespaces($network);
  mount_files($workspace, $call, $proxy, $network);
  run_alone($environment, $report);
});

# Makes a sandbox without another program, and runs a command in it. The arguments are the workspace; the second
# directory and the socket of the proxy, or empty texts; whether the command has the network of the host; and what
# `run_command` takes.

supervise(sub {
  my ($environment, $report) = @_;
  my ($workspace, $call, $proxy, $network) = splice @ARGV, 0, 4;
  # Mounts of another account than root's need a namespace in which it is root.
  if ($settings->{isRoot}) { give_to_commands(grep { length } $workspace, $call) }
  else { enter_user_namespace(0) }
  enter_namespaces($network);
  mount_files($workspace, $call, $proxy, $network);
  leave_root() if $settings->{isRoot};
  enter_user_namespace($settings->{innerId});
  give_up_privileges();
  run_command($environment, $report);
});

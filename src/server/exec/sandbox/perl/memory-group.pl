# The memory cgroup of a command, whose limits hold for all its processes together.

my $CLONE_INTO_CGROUP = 1 << 33;

# Starts a process as `fork` does, in a group that is made for it. The text has the path of the group and its limits, on a
# line each, or is undefined. A command that cannot have its group runs without one, as polls limit it, too.
sub fork_in_group {
  my ($group, @limits) = split /\n/, shift // "";
  return fork unless defined $group && eval { make_group($group, @limits); 1 };
  my $child = fork_into($group);
  return $child if $child != -1;
  # Version 1 can only move a process, which the kernel makes wait for some ms.
  $child = fork;
  eval { put("$group/cgroup.procs", "0") } if defined $child && $child == 0;
  return $child;
}

sub make_group {
  my ($group, @limits) = @_;
  mkdir $group or die "$group: $!\n";
  for (@limits) {
    my ($name, $value) = split /=/;
    put("$group/$name", $value);
  }
}

# Returns -1 where a process cannot be started in a group.
sub fork_into {
  my ($group) = @_;
  open(my $directory, "<", $group) or return -1;
  my $args = pack("Q11", $CLONE_INTO_CGROUP, (0) x 3, $SIGCHLD, (0) x 5, fileno $directory);
  return try_call("clone3", $args, length $args);
}

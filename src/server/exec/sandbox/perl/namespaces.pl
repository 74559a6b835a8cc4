# What processes a command sees, and what its account is and may.

my ($CLONE_NEWNS, $CLONE_NEWUTS, $CLONE_NEWIPC) = (0x00020000, 0x04000000, 0x08000000);
my ($CLONE_NEWUSER, $CLONE_NEWPID, $CLONE_NEWNET) = (0x10000000, 0x20000000, 0x40000000);
my $CLONE_NEWCGROUP = 0x02000000;
my $HOST_NAME = "sandbox";
my ($SIOCSIFFLAGS, $IFF_UP) = (0x8914, 1);
# Each may hold 16,384 reports of changes, 5 MB, which are counted nowhere.
my $WATCHERS = 16;
my $PR_CAPBSET_DROP = 24;
# More than the kernel has.
my $CAPABILITIES = 64;
my $CAPABILITY_VERSION = 0x20080522;

# Enters namespaces whose first process runs what follows; this one ends as it does.
sub enter_namespaces {
  my ($network) = @_;
  my $namespaces = $CLONE_NEWNS | $CLONE_NEWUTS | $CLONE_NEWIPC | $CLONE_NEWPID | $CLONE_NEWCGROUP;
  call("unshare", $namespaces | ($network ? 0 : $CLONE_NEWNET));
  my $first = fork() // die "fork: $!\n";
  if ($first) {
    leave_input();
    1 until waitpid($first, 0) == $first;
    exit to_exit_code($?);
  }
  call("sethostname", $HOST_NAME, length $HOST_NAME);
  return if $network;
  socket(my $socket, $AF_INET, $SOCK_DGRAM, 0) or die "socket: $!\n";
  ioctl($socket, $SIOCSIFFLAGS, my $up = pack("a16 s x22", "lo", $IFF_UP)) or die "loopback: $!\n";
}

# Becomes an account that owns nothing. Without the last line, it could not write its own id maps.
sub leave_root {
  my $account = $settings->{account};
  call("setgroups", 0, 0);
  call("setresgid", ($account) x 3);
  call("setresuid", ($account) x 3);
  call("prctl", $PR_SET_DUMPABLE, 1, 0, 0, 0);
}

# Enters a user namespace, in which this account has another id.
sub enter_user_namespace {
  my ($id) = @_;
  my ($user, $group) = ($> + 0, $) + 0);
  call("unshare", $CLONE_NEWUSER);
  put("/proc/self/setgroups", "deny");
  put("/proc/self/uid_map", "$id $user 1");
  put("/proc/self/gid_map", "$id $group 1");
}

# Hides where the host has what is mounted, which the list of a namespace's mounts tells: enters a namespace without
# mounts, and keeps the root. The mounts last as long as a process has what this returns.
sub hide_mounts {
  open(my $mounts, "<", "/proc/self/ns/mnt") or die "mounts: $!\n";
  opendir(my $root, "/") or die "/: $!\n";
  call("unshare", $CLONE_NEWNS);
  call("mount", "none", "/tmp", "tmpfs", 0, "size=4k");
  chdir "/tmp" or die "/tmp: $!\n";
  call("pivot_root", ".", ".");
  call("umount2", ".", $MNT_DETACH);
  chdir $root or die "/: $!\n";
  call("chroot", ".");
  return $mounts;
}

# Makes this namespace one in which a command can gain no privilege and create no further namespace.
sub give_up_privileges {
  put("/proc/sys/user/max_user_namespaces", "0");
  put("/proc/sys/user/max_inotify_instances", $WATCHERS);
  try_call("prctl", $PR_CAPBSET_DROP, $_, 0, 0, 0) for 0 .. $CAPABILITIES - 1;
  call("capset", pack("LL", $CAPABILITY_VERSION, 0), pack("L6", (0) x 6));
}

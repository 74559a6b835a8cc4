# Makes a workspace and what is shown of the host the only files that a command sees.

# Where the new root is mounted: a directory that every system has and that no source of a mount lies in.
my $NEW_ROOT = "/sys";
# It has only empty directories and the own settings.
my $ROOT_BYTES = 1024 * 1024;

my ($MS_RDONLY, $MS_NOSUID, $MS_NODEV, $MS_NOEXEC) = (1, 2, 4, 8);
my ($MS_BIND, $MS_REC, $MS_PRIVATE) = (0x1000, 0x4000, 0x40000);
my ($AT_FDCWD, $AT_RECURSIVE) = (-100, 0x8000);

my @devices = map { "/dev/$_" } qw(null full random urandom tty);
my %device_links = (
  fd     => "/proc/self/fd",
  stdin  => "/proc/self/fd/0",
  stdout => "/proc/self/fd/1",
  stderr => "/proc/self/fd/2",
  ptmx   => "pts/ptmx",
);

sub mount {
  my ($source, $path, $type, $flags, $data) = @_;
  call("mount", $source, $path, $type, $flags, $data);
}

sub mount_tmpfs {
  my ($path, $options, $flags) = @_;
  mount("tmpfs", $path, "tmpfs", $MS_NOSUID | $MS_NODEV | ($flags // 0), $options);
}

# Shows a path of the host at one of the sandbox.
sub mirror {
  my ($source, $path) = @_;
  mount($source, $path, "", $MS_BIND | $MS_REC, "");
}

sub restrict {
  my ($path, $flags, $added) = @_;
  my $attributes = pack("Q4", $MS_NOSUID | $MS_NODEV | $added, 0, 0, 0);
  call("mount_setattr", $AT_FDCWD, $path, $flags, $attributes, length $attributes);
}

sub mirror_writable {
  my ($source, $path) = @_;
  mirror($source, $path);
  restrict($path, $AT_RECURSIVE, 0);
}

sub mirror_read_only {
  my ($source, $path) = @_;
  mirror($source, $path);
  restrict($path, $AT_RECURSIVE, $MS_RDONLY);
}

# Creates a directory below the present one, with its parents.
sub create_directory {
  my ($path) = @_;
  my $directory = ".";
  mkdir $directory .= "/$_" for grep { length } split m{/+}, $path;
}

# Sees the host as its own root until the end. `$call` and `$proxy` are empty where a command has none.
sub mount_files {
  my ($workspace, $call, $proxy, $network) = @_;
  my @links = grep { $_->{kind} eq "link" } @{$settings->{shown}};
  my @sources = grep { $_->{kind} ne "link" } @{$settings->{shown}};
  my @files = map { $_->{path} } grep { $_->{kind} eq "file" } @sources;
  umask 022;
  mount("none", "/", "", $MS_REC | $MS_PRIVATE, "");
  mount_tmpfs($NEW_ROOT, "size=$ROOT_BYTES,mode=755");
  chdir $NEW_ROOT or die "$NEW_ROOT: $!\n";

  create_directory($_->{kind} eq "file" ? $_->{path} =~ s{/[^/]*$}{}r : $_->{path}) for @sources;
  create_directory($_) for "/etc", "/proc", "/dev/pts", "/dev/shm", "/tmp", $settings->{workspace};
  put(".$_", "") for @files, @devices, "/dev/zero";
  push @links, map { { path => "/dev/$_", target => $device_links{$_} } } keys %device_links;
  symlink($_->{target}, ".$_->{path}") || die "$_->{path}: $!\n" for @links;
  put(".$_->{path}", $_->{text}) for @{$settings->{ownSettings}};

  mirror_writable($workspace, ".$settings->{workspace}");
  if (length $call) {
    create_directory($settings->{callDirectory});
    mirror_writable($call, ".$settings->{callDirectory}");
  }
  mirror_read_only($_->{source} // $_->{path}, ".$_->{path}") for @sources;
  my ($source, $path) = $network ? ($settings->{nameServers}) x 2 : ($proxy, $settings->{proxy}{path});
  if (-e $source) {
    put(".$path", "");
    mirror_read_only($source, ".$path");
  }
  mount_tmpfs(".$_", "size=4k,mode=555", $MS_RDONLY) for @{$settings->{hidden}};
  mirror($_, ".$_") for @devices;
  # That of the host could be mapped as memory, which would not be counted; this one reads alike.
  mirror("/dev/full", "./dev/zero");
  mount_tmpfs("./tmp", "size=$settings->{tmpBytes},mode=1777");
  mount_tmpfs("./dev/shm", "size=$settings->{sharedMemoryBytes},mode=1777");
  mount("proc", "./proc", "proc", $MS_NOSUID | $MS_NODEV | $MS_NOEXEC, "");
  mount("devpts", "./dev/pts", "devpts", $MS_NOSUID | $MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620");
  if (-t STDIN) {
    put("./dev/console", "");
    mirror(readlink("/proc/self/fd/0"), "./dev/console");
  }

  call("pivot_root", ".", ".");
  call("umount2", ".", $MNT_DETACH);
  chdir "/" or die "/: $!\n";
  restrict("/", 0, $MS_RDONLY);
}

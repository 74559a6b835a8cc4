# The way from a sandbox, which has no network, to the proxy of its command.

my ($F_SETFL, $O_NONBLOCK) = (4, 0x800);
# These are no failures of a connection: the call was interrupted, or would wait.
my ($EINTR, $EAGAIN) = (4, 11);
my $SEND_END = 1;
my $BACKLOG = 64;
# Bytes that are read at once.
my $CHUNK = 65_536;

# Forwards connections to the port of the proxy to its socket, in a process beside the command, if there is a socket.
# What comes from one side is read when what came before has been written to the other.
sub forward_proxy {
  my ($report) = @_;
  my ($path, $port) = @{$settings->{proxy}}{qw(path port)};
  return unless -S $path;
  socket(my $listener, $AF_INET, $SOCK_STREAM, 0) or die "proxy: $!\n";
  bind($listener, pack("S n C4 x8", $AF_INET, $port, 127, 0, 0, 1)) or die "proxy: $!\n";
  listen($listener, $BACKLOG) or die "proxy: $!\n";
  my $forwarder = fork() // die "fork: $!\n";
  if ($forwarder) {
    close $listener;
    return;
  }
  close $report;
  open(STDIN, "<", "/dev/null");
  open(STDOUT, ">", "/dev/null");
  open(STDERR, ">", "/dev/null");
  $SIG{PIPE} = "IGNORE";
  forward_connections($listener, $path);
}

# Does not return. The tables have what belongs to a connection's end, by its descriptor: the handle, the descriptor of
# the other end, the text that is to be written to it, and whether all that it sends has been read.
sub forward_connections {
  my ($listener, $path) = @_;
  my (%handle, %peer, %text, %ended);
  my $is_broken = sub { !defined $_[0] && $! != $EAGAIN && $! != $EINTR };
  while (1) {
    my ($readable, $writable) = ("", "");
    vec($readable, fileno $listener, 1) = 1;
    for my $file (keys %handle) {
      vec($writable, $file, 1) = 1 if length $text{$file};
      vec($readable, $file, 1) = 1 unless $ended{$file} || length $text{$peer{$file}};
    }
    next if select($readable, $writable, undef, undef) < 1;
    for my $file (keys %handle) {
      my $handle = $handle{$file} or next;
      my $other = $peer{$file};
      my $broken = 0;
      if (vec($writable, $file, 1)) {
        my $written = syswrite $handle, $text{$file};
        $broken ||= $is_broken->($written);
        substr($text{$file}, 0, $written // 0) = "";
      }
      if (vec($readable, $file, 1)) {
        my $count = sysread $handle, $text{$other}, $CHUNK;
        $broken ||= $is_broken->($count);
        $text{$other} //= "";
        if (defined $count && $count == 0) {
          $ended{$file} = 1;
          shutdown $handle{$other}, $SEND_END;
        }
      }
      next unless $broken || ($ended{$file} && $ended{$other} && !length "$text{$file}$text{$other}");
      for my $each ($file, $other) {
        close $handle{$each};
        delete $_->{$each} for \(%handle, %peer, %text, %ended);
      }
    }
    next unless vec($readable, fileno $listener, 1);
    accept(my $client, $listener) or next;
    socket(my $server, $AF_UNIX, $SOCK_STREAM, 0) or next;
    connect($server, pack("S a108", $AF_UNIX, $path)) or next;
    for my $pair ([$client, $server], [$server, $client]) {
      my ($file, $other) = map { fileno $_ } @$pair;
      fcntl($pair->[0], $F_SETFL, $O_NONBLOCK);
      ($handle{$file}, $peer{$file}, $text{$file}) = ($pair->[0], $other, "");
    }
  }
}

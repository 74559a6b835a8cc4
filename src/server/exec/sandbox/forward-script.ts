/** Where a sandbox has the socket of its proxy. */
export const PROXY_SOCKET = "/proxy";

/** A port of the sandbox's own loopback, where nothing else listens. */
const PORT = 3128;
const PROXY = `http://127.0.0.1:${PORT}`;

/** By these variables, programs find the proxy of their sandbox. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  // Node.js reads the others only with this one.
  NODE_USE_ENV_PROXY: "1",
};

const [AF_UNIX, AF_INET, SOCK_STREAM] = [1, 2, 1];
const [F_SETFL, O_NONBLOCK] = [4, 0x800];
const [EINTR, EAGAIN] = [4, 11];
const SEND_END = 1;
const BACKLOG = 64;
/** Bytes that are read at once. */
const CHUNK = 65_536;

/**
 * Forwards connections to the port of the proxy to its socket, in a process beside the command, if there is a socket.
 * What comes from one side is read when what came before has been written to the other.
 */
export const FORWARD = `
if (-S "${PROXY_SOCKET}") {
  socket(my $listener, ${AF_INET}, ${SOCK_STREAM}, 0) or die "proxy: $!\\n";
  bind($listener, pack("S n C4 x8", ${AF_INET}, ${PORT}, 127, 0, 0, 1)) or die "proxy: $!\\n";
  listen($listener, ${BACKLOG}) or die "proxy: $!\\n";
  my $forwarder = fork() // die "fork: $!\\n";
  if ($forwarder == 0) {
    close $report;
    open(STDIN, "<", "/dev/null");
    open(STDOUT, ">", "/dev/null");
    open(STDERR, ">", "/dev/null");
    $SIG{PIPE} = "IGNORE";
    my (%handle, %peer, %text, %ended);
    my $isBroken = sub { !defined $_[0] && $! != ${EAGAIN} && $! != ${EINTR} };
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
          $broken ||= $isBroken->($written);
          substr($text{$file}, 0, $written // 0) = "";
        }
        if (vec($readable, $file, 1)) {
          my $count = sysread $handle, $text{$other}, ${CHUNK};
          $broken ||= $isBroken->($count);
          $text{$other} //= "";
          if (defined $count && $count == 0) {
            $ended{$file} = 1;
            shutdown $handle{$other}, ${SEND_END};
          }
        }
        next unless $broken || ($ended{$file} && $ended{$other} && !length "$text{$file}$text{$other}");
        for my $each ($file, $other) {
          close $handle{$each};
          delete $_->{$each} for \\(%handle, %peer, %text, %ended);
        }
      }
      next unless vec($readable, fileno $listener, 1);
      accept(my $client, $listener) or next;
      socket(my $server, ${AF_UNIX}, ${SOCK_STREAM}, 0) or next;
      connect($server, pack("S a108", ${AF_UNIX}, "${PROXY_SOCKET}")) or next;
      for my $pair ([$client, $server], [$server, $client]) {
        my ($file, $other) = map { fileno $_ } @$pair;
        fcntl($pair->[0], ${F_SETFL}, ${O_NONBLOCK});
        ($handle{$file}, $peer{$file}, $text{$file}) = ($pair->[0], $other, "");
      }
    }
  }
  close $listener;
}`;

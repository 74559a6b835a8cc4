/** What a command does, and the script that does it in `bash`. */
type Attack = [how: string, script: string];

/** Ways to hold more than 120 MB of memory. */
export const MEMORY_ATTACKS: Attack[] = [
  [
    "page tables",
    `perl -e 'my $start = syscall(qx(uname -m) =~ /aarch64/ ? 222 : 9, 0, 1 << 38, 1, 0x4022, -1, 0);
      unpack "P1", pack("Q", $start + ($_ << 21)) for 0 .. (1 << 17) - 1; sleep 20'`,
  ],
  [
    "pieces of memory",
    `perl -e 'my ($mmap, $protect) = qx(uname -m) =~ /aarch64/ ? (222, 226) : (9, 10);
      for (1 .. 9) { next if fork; my $start = syscall($mmap, 0, 65_000 * 4096, 0, 0x22, -1, 0);
        syscall($protect, $start + $_ * 8192, 4096, 1) for 1 .. 32_000; sleep 20; exit } sleep 20'`,
  ],
  [
    "pipes",
    `perl -e 'for (1 .. 40) { next if fork; for (1 .. 480) { pipe(my $in, my $out) or die; push @all, $in, $out; syswrite $out, "a" x 4096 } sleep 20; exit } sleep 20'`,
  ],
  [
    "processes whose first thread has ended",
    `python3 -c '
import ctypes, os, platform, threading, time
def hold():
    held = b"x" * 60_000_000
    time.sleep(20)
for _ in range(3):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(93 if platform.machine() == "aarch64" else 60, 0)
time.sleep(20)'`,
  ],
  [
    "a process that cannot be traced",
    `perl -e 'syscall(qx(uname -m) =~ /aarch64/ ? 167 : 157, 4, 0); $x = "a" x 75_000_000; $y = "b" x 75_000_000; sleep 20'`,
  ],
];

/** The same, by what only a sandbox has of its own: a file system in memory, and a network. */
export const SANDBOX_MEMORY_ATTACKS: Attack[] = [
  ["files of its private /tmp", "head -c 200M /dev/zero > /tmp/x; sleep 20"],
  ["files without a name", "exec 9>/tmp/x; rm /tmp/x; head -c 200M /dev/zero >&9; sleep 20"],
  [
    "empty files of its private /tmp",
    `perl -e 'open(my $file, ">", "/tmp/$_") for 1 .. 150_000'; sleep 20`,
  ],
  [
    "what its sockets hold",
    `perl -e 'use Socket; while (@all < 900) {
        socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or die; push @all, $one, $other;
        for ($one, $other) { setsockopt($_, SOL_SOCKET, SO_SNDBUF, 1 << 22); $_->blocking(0); 1 while syswrite $_, "a" x 65536 }
      } sleep 20'`,
  ],
  [
    "what connections hold that nobody accepts",
    `perl -e 'use Socket; my $name = pack_sockaddr_un("all"); socket(my $all, AF_UNIX, SOCK_STREAM, 0); bind($all, $name); listen($all, 4096);
      for (1 .. 1500) { socket(my $one, AF_UNIX, SOCK_STREAM, 0); connect($one, $name) or die; $one->blocking(0); 1 while syswrite $one, "a" x 65536 } sleep 20'`,
  ],
  [
    "what connections of its own network hold",
    `perl -e 'use Socket; my $name = pack_sockaddr_in(4711, inet_aton("127.0.0.1")); socket(my $all, AF_INET, SOCK_STREAM, 0); bind($all, $name) or die; listen($all, 4096);
      for (1 .. 900) { socket(my $one, AF_INET, SOCK_STREAM, 0); connect($one, $name) or die; $one->blocking(0); push @all, $one; 1 while syswrite $one, "a" x 65536 } sleep 20'`,
  ],
];

/**
 * Ways to hold 60 MB of disk in a file without a name. What cannot be traced holds 240 MB: it is found by what the disk
 * has lost, and other tests free files meanwhile.
 */
export const UNLINKED_FILES: Attack[] = [
  ["that are open", "exec {file}>f; rm f; head -c 60M /dev/zero >&$file"],
  [
    "that are open in a process that cannot be traced",
    `perl -e 'syscall(qx(uname -m) =~ /aarch64/ ? 167 : 157, 4, 0); open(my $file, ">", "f"); unlink "f"; print $file "x" x 1e6 for 1 .. 240; sleep 60' &`,
  ],
  [
    "that are open in a program that cannot be read",
    "(cp /usr/bin/tail t; chmod 111 t; exec 3>f; rm f; head -c 240M /dev/zero >&3; exec ./t -f /dev/null) &",
  ],
  [
    "that are open in a process whose first thread has ended",
    `python3 -c '
import ctypes, os, platform, threading, time
f = os.open("f", os.O_CREAT | os.O_WRONLY)
os.unlink("f")
def hold():
    for _ in range(60): os.write(f, b"x" * 1000000)
    time.sleep(60)
threading.Thread(target=hold).start()
ctypes.CDLL(None).syscall(93 if platform.machine() == "aarch64" else 60, 0)' &`,
  ],
  [
    "that are mapped",
    `perl -e 'open(my $file, "+>", "f"); print $file "x" x 1e6 for 1 .. 60;
        syscall(qx(uname -m) =~ /aarch64/ ? 222 : 9, 0, 4096, 1, 1, fileno $file, 0) > 0 or die; unlink "f"; close $file; sleep 60' &`,
  ],
  [
    "that were sent to a socket",
    `python3 -c 'import socket, os, time
a, b = socket.socketpair()
f = os.open("f", os.O_CREAT | os.O_WRONLY)
for _ in range(60): os.write(f, b"x" * 1000000)
socket.send_fds(a, [b"x"], [f])
os.close(f)
os.unlink("f")
time.sleep(60)' &`,
  ],
];

/** Places where a file is hard to measure: each opens one as descriptor 3. */
export const HIDDEN_PLACES: Attack[] = [
  ["without rights", "mkdir hidden; cd hidden; exec 3>file; chmod 0 ."],
  [
    "deeper than a path can be",
    `name=$(printf 'n%.0s' $(seq 200)); for i in $(seq 30); do mkdir $name && cd $name; done; exec 3>file`,
  ],
];

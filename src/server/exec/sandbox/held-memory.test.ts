import { describe, expect, it } from "vitest";
import { MEGABYTE, sandboxRows, useRunner, useRunnerProgram } from "@/test/sandbox-runner";

const program = useRunnerProgram();

describe.each(sandboxRows)("a command in $kind of $account", ({ kind, account, launcher }) => {
  const runner = useRunner(program, { kind, launcher });

  it("cannot hide memory in files without a name, segments or queues", async () => {
    const calls =
      "qx(uname -m) =~ /aarch64/ ? (279, 194, 186, 190, 75, 425) : (319, 29, 68, 64, 278, 425)";
    const script = `perl -e 'my @calls = ${calls};
      print join " ", syscall($calls[0], my $name = "x", 0), map { syscall($_, 1, 1, 0777) } @calls[1..5]'`;
    expect((await runner().run({ script })).output).toBe("-1 -1 -1 -1 -1 -1");
  });

  it("cannot hold shared memory that no process has resident", async () => {
    const script = `perl -e 'my $mmap = qx(uname -m) =~ /aarch64/ ? 222 : 9;
      open(my $zero, "+<", "/dev/zero") or die $!;
      read($zero, my $read, 3);
      print unpack("H*", $read), " ";
      print join " ", map { syscall($mmap, 0, 4096, 3, @$_, 0) != -1 ? "mapped" : "refused" }
        [0x21, -1], [0x01, fileno $zero], [0x22, -1];'`;
    expect((await runner().run({ script })).output).toBe("000000 refused refused mapped");
  });

  it("shares memory between its processes by files, which are counted", async () => {
    const script = `python3 - <<'END'
import multiprocessing as m
from multiprocessing import shared_memory
def add(array, value, lock, name):
    shared = shared_memory.SharedMemory(name=name)
    with lock:
        array[0] += 1; value.value += 1; shared.buf[0] += 1
    shared.close()
m.set_start_method("fork")
array, value, lock = m.Array("i", 4), m.Value("i", 0), m.Lock()
shared = shared_memory.SharedMemory(create=True, size=1000000)
processes = [m.Process(target=add, args=(array, value, lock, shared.name)) for _ in range(3)]
for process in processes: process.start()
for process in processes: process.join()
pool = m.Pool(2)
print(array[0], value.value, shared.buf[0], pool.map(abs, [-1]))
pool.close(); pool.join()
shared.unlink()
END`;
    expect((await runner().run({ script })).output).toBe("3 3 3 [1]\n");
  });

  it("is ended when its processes together use too much memory", async () => {
    const { exceeded, output } = await runner().run({
      script: `for i in 1 2 3 4; do perl -e '$x = "a" x 150_000_000; print "full\\n"; sleep 99' & done; wait`,
      limits: { memoryBytes: 300 * MEGABYTE },
    });
    expect(exceeded).toBe("memory");
    expect(output.split("full").length - 1).toBeLessThan(4);
  });

  it.each([
    [
      "page tables",
      `perl -e 'my $start = syscall(qx(uname -m) =~ /aarch64/ ? 222 : 9, 0, 1 << 38, 1, 0x4022, -1, 0);
      unpack "P1", pack("Q", $start + ($_ << 21)) for 0 .. (1 << 17) - 1; sleep 20'`,
    ],
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
      "a process that cannot be traced",
      `perl -e 'syscall(qx(uname -m) =~ /aarch64/ ? 167 : 157, 4, 0); $x = "a" x 75_000_000; $y = "b" x 75_000_000; sleep 20'`,
    ],
  ])("is ended when it uses too much memory by %s", async (_how, script) => {
    const { exceeded } = await runner().run({ script, limits: { memoryBytes: 120 * MEGABYTE } });
    expect(exceeded).toBe("memory");
  });

  it("may have files, sockets and processes that hold little", async () => {
    const script = `perl -e 'use Socket; for (1 .. 20) { next if fork;
      for (1 .. 10) { socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or die; push @all, $one, $other }
      for (1 .. 200) { open(my $file, "<", "/etc/hosts") or die; push @all, $file } sleep 1; exit } 1 while wait > 0; print "done"'`;
    const limits = { memoryBytes: 256 * MEGABYTE };
    expect(await runner().run({ script, limits })).toMatchObject({
      exceeded: null,
      output: "done",
    });
  });

  // Once is enough: what the server reads does not depend on how it came.
  if (account !== "root" && kind === sandboxRows[0]?.kind) {
    it("writes 200 MB through the server without filling its memory", async () => {
      // What the server reads for the first time takes memory once.
      const first = await runner().run({ script: "head -c 100M /dev/zero" });
      const { bytes, memoryPeak } = await runner().run({ script: "yes | head -c 200M" });
      expect(bytes).toBe(200 * MEGABYTE);
      expect(memoryPeak - first.memoryPeak).toBeLessThan(50 * MEGABYTE);
    });
  }
});

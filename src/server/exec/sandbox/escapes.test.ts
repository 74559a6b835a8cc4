import { execFileSync } from "node:child_process";
import { once } from "node:events";
import pty from "@lydell/node-pty";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandOutcome } from "@/test/programs/command-runner";
import {
  copyRunnerProgram,
  hasBubblewrap,
  type Runner,
  type RunnerProgram,
  sandboxRows,
  startRunner,
} from "@/test/sandbox-runner";

const MEGABYTE = 1024 * 1024;

/** A key in the session keyring, which children inherit. */
const ADD_KEY = `my ($add, $join) = qx(uname -m) =~ /aarch64/ ? (217, 219) : (248, 250);
syscall($join, 1, 0);
syscall($add, my $type = "user", my $name = "parley", my $value = "a secret of the server", 22, -3) > 0 or die "no key: $!";
exec @ARGV;`;

/** Programs of x64 machines that end with the error of a call for a socket, by other interfaces of the kernel. */
const createProgram = (instructions: string): Buffer => {
  const [ADDRESS, HEADERS] = [0x400000, 0x78];
  const END = "f7d8 89c7 b83c000000 0f05";
  const code = Buffer.from(`${instructions} ${END}`.replaceAll(" ", ""), "hex");
  const file = Buffer.alloc(HEADERS + code.length);
  file.write("7f454c46020101", "hex");
  for (const [value, offset] of [
    [2, 16],
    [62, 18],
    [64, 52],
    [56, 54],
    [1, 56],
  ] as const) {
    file.writeUInt16LE(value, offset);
  }
  for (const [value, offset] of [
    [1, 20],
    [1, 64],
    [5, 68],
  ] as const) {
    file.writeUInt32LE(value, offset);
  }
  for (const [value, offset] of [
    [ADDRESS + HEADERS, 24],
    [64, 32],
    [ADDRESS, 80],
    [ADDRESS, 88],
    [file.length, 96],
    [file.length, 104],
    [4096, 112],
  ] as const) {
    file.writeBigUInt64LE(BigInt(value), offset);
  }
  code.copy(file, HEADERS);
  return file;
};
/** `int 0x80` with number 102 (socketcall), with number 359 (socket), and `syscall` with that of x32. */
const SOCKET_CALL_32 = "b866000000 bb01000000 b900004000 cd80";
const SOCKET_32 = "b867010000 bb28000000 b901000000 31d2 cd80";
const SOCKET_X32 = "b829000040 bf28000000 be01000000 31d2 0f05";

let program: RunnerProgram;
beforeAll(async () => {
  program = await copyRunnerProgram();
});
afterAll(() => program.remove());

const listCommand = (launcher: readonly string[], ...args: string[]): string[] => [
  ...launcher,
  "perl",
  "-e",
  ADD_KEY,
  ...program.command,
  ...args,
];

/** Processes of the host whose command line has a text. */
const findProcesses = (text: string): string[] =>
  execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text));

it("tests bubblewrap too, where all tests must run", () => {
  if (process.env.CI) expect(hasBubblewrap, "install it: apt-get install bubblewrap").toBe(true);
});

describe.each(sandboxRows)("a command in $kind of $account", ({ kind, account, launcher }) => {
  const start = (): Promise<Runner> => startRunner(listCommand(launcher, kind), program.directory);
  let runner: Runner;
  beforeAll(async () => {
    runner = await start();
  });
  afterAll(async () => {
    // The server has survived everything, its data are as before, and no command has reached it.
    expect(await runner.state()).toMatchObject({ problem: null, connections: 0 });
    runner.process.disconnect();
    await once(runner.process, "exit");
  });

  it("runs in its workspace, with its environment only", async () => {
    const { output, exitCode } = await runner.run({
      script: "pwd; env | cut -d= -f1 | sort | tr '\\n' ' '; echo text > file && cat file; exit 3",
    });
    expect(output).toBe("/workspace\nDATA PATH PORT PWD SERVER SHLVL _ text\n");
    expect(exitCode).toBe(3);
  });

  it("has variables whose values no list of processes shows", async () => {
    const mark = `9${process.pid}`;
    const value = `value-${mark}`;
    const running = runner.run({
      script: `echo "$TOKEN"; (tr -d '\\0' < /proc/1/environ) 2>/dev/null; exec sleep ${mark}`,
      env: { TOKEN: value },
      timeoutMs: 5_000,
    });
    await expect.poll(() => findProcesses(`sleep ${mark}`)).not.toEqual([]);
    expect(findProcesses(value)).toHaveLength(0);
    // Bubblewrap adds a variable of its own.
    expect((await running).output.replace(/PWD=\/$/, "")).toBe(`${value}\n`);
  });

  it("has variables of any text, and more than a pipe holds", async () => {
    const TEXT = "a=b\nc 'd' \"é\" $PATH ";
    const long = "x".repeat(100_000);
    const { output } = await runner.run({
      script: 'echo "<$TEXT><${EMPTY-unset}>"; echo ${#LONG} ${#OTHER}',
      env: { TEXT, EMPTY: "", LONG: long, OTHER: long },
    });
    expect(output).toBe(`<${TEXT}><>\n100000 100000\n`);
  });

  it("reaches its proxy, and nothing else of the host", async () => {
    const { output } = await runner.run({
      hasProxy: true,
      script:
        "exec 2>&1; curl -sS http://127.0.0.1:$PORT/; curl -sS --noproxy '*' http://127.0.0.1:$PORT/ || echo none",
    });
    expect(output).toMatch(/^proxy: http:\/\/127\.0\.0\.1:\d+\/\n.*\nnone\n$/);
  });

  it.each([
    ["kill the server", "kill -9 $SERVER"],
    ["find the server's process", "ls -d /proc/$SERVER"],
    ["find processes of the host", "test $(ls -d /proc/[0-9]* | wc -l) -gt 12"],
    ["read the server's environment", "cat /proc/*/environ | grep -a secret"],
    ["read the data directory", 'ls "$DATA"'],
    ["write to the data directory", 'echo x > "$DATA/secret"'],
    ["read another chat's workspace", 'cat "$DATA/workspaces/two/secret"'],
    ["read another workspace by a relative path", "cat ../two/secret || cat ../../secret"],
    ["read a file of the host by a link", 'ln -sf "$DATA/secret" link; cat link'],
    ["read the password hashes by a link", "ln -sf /etc/shadow link; cat link"],
    ["read the home of the account", "ls /root || ls /home || ls /var"],
    ["write outside of its workspace", "touch /x || touch /usr/x || touch /etc/x || touch /dev/x"],
    ["reach the server's port", "echo > /dev/tcp/127.0.0.1/$PORT"],
    ["reach another machine", "echo > /dev/tcp/1.1.1.1/53"],
    [
      "set a parameter of the kernel",
      "for f in kernel/core_pattern kernel/hostname vm/drop_caches user/max_user_namespaces; do echo 1 > /proc/sys/$f && exit 0; done; exit 1",
    ],
    [
      "find a parameter that it may set, except those of its own queues",
      `for f in $(find /proc/sys -type f -writable ! -path '*/mqueue/*' ! -name 'msg*' ! -name 'shm*' ! -name sem ! -name auto_msgmni); do echo 1 > $f && exit 0; done; exit 1`,
    ],
    ["press a magic key", "echo h > /proc/sysrq-trigger"],
    ["mount", "mount -t tmpfs none /tmp"],
    [
      "mount in a namespace of its own",
      "unshare --user --map-root-user --mount mount -t tmpfs none /tmp",
    ],
    [
      "change the root's mount",
      "mount -o remount,rw /usr || mount -o remount,rw / || umount /proc",
    ],
    ["create a device", "mknod disk b 8 0"],
    [
      "open a device",
      "ls /dev/sd* /dev/vd* /dev/mem /dev/kmsg /dev/kvm /dev/fuse 2>/dev/null | grep .",
    ],
    ["become root", "su -c id || sudo -n id || setpriv --reuid=0 id"],
    ["gain a privilege", "grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb):.*[1-9a-f]' /proc/self/status"],
    ["trace the server", "perl -e 'exit(syscall(101, 16, $ENV{SERVER}, 0, 0) != 0)'"],
    ["use the terminal of the server", "exec 3<>/dev/tty"],
    ["fill the private /tmp", "head -c 1G /dev/zero > /tmp/x"],
    ["fill the shared memory", "head -c 1G /dev/zero > /dev/shm/x"],
    [
      "write a file over its limit",
      "head -c 300M /dev/zero > big; size=$(stat -c %s big); rm big; test $size -gt 270000000",
    ],
    ["reserve memory over its limit", "perl -e '$x = q(a) x 2_000_000_000'"],
  ])("cannot %s", async (_, script) => {
    const limits = { workspaceBytes: 1024 * MEGABYTE };
    const { exitCode, output } = await runner.run({ script, limits });
    expect(output).not.toContain("a secret of the server");
    expect(exitCode, output).not.toBe(0);
  });

  it("cannot hide memory in files without a name, segments or queues", async () => {
    const calls =
      "qx(uname -m) =~ /aarch64/ ? (279, 194, 186, 190, 75, 425) : (319, 29, 68, 64, 278, 425)";
    const script = `perl -e 'my @calls = ${calls};
      print join " ", syscall($calls[0], my $name = "x", 0), map { syscall($_, 1, 1, 0777) } @calls[1..5]'`;
    expect((await runner.run({ script })).output).toBe("-1 -1 -1 -1 -1 -1");
  });

  it("has sockets of machines, networks and the kernel's list of them only", async () => {
    const script = `perl -e 'my ($socket, $pair) = qx(uname -m) =~ /aarch64/ ? (198, 199) : (41, 53);
      for my $type (1, 2, 3, 5, 6, 10) {
        for my $family (0 .. 64, 0xffffffff, 40 + 2 ** 32) {
          print "$family/$type " if syscall($socket, $family, $type | 0x80000, 0) != -1;
          print "pair:$family " if syscall($pair, $family, $type, 0, my $files = " " x 8) != -1;
        }
      }
      syscall($socket, 2, @$_) == -1 or print "@$_ " for [1, 132], [1, 262], [5, 132], [6, 33], [2, 136], [1, 256];
      syscall($socket, 16, 3, $_) == -1 or print "netlink:$_ " for 0 .. 30'`;
    const { output } = await runner.run({ script });
    expect(output.trim().split(" ").sort()).toEqual(
      ["1/1", "1/2", "1/3", "1/5", "2/1", "2/2", "10/1", "10/2", "16/2", "16/3"]
        .concat("pair:1", "pair:1", "pair:1", "pair:1", "netlink:0", "netlink:4")
        .sort(),
    );
  });

  it.runIf(process.arch === "x64")("makes no call of another interface of the kernel", async () => {
    const bytes = (program: Buffer) => program.toString("hex");
    const script = `run() { perl -e 'print pack "H*", shift' "$1" > program; chmod +x program; ./program; echo $?; }
      run ${bytes(createProgram(SOCKET_CALL_32))}; run ${bytes(createProgram(SOCKET_32))}; run ${bytes(createProgram(SOCKET_X32))}; rm program`;
    const EPERM = 1;
    expect((await runner.run({ script })).output).toBe(`${EPERM}\n${EPERM}\n${EPERM}\n`);
  });

  it("cannot hold shared memory that no process has resident", async () => {
    const script = `perl -e 'my $mmap = qx(uname -m) =~ /aarch64/ ? 222 : 9;
      open(my $zero, "+<", "/dev/zero") or die $!;
      read($zero, my $read, 3);
      print unpack("H*", $read), " ";
      print join " ", map { syscall($mmap, 0, 4096, 3, @$_, 0) != -1 ? "mapped" : "refused" }
        [0x21, -1], [0x01, fileno $zero], [0x22, -1];'`;
    expect((await runner.run({ script })).output).toBe("000000 refused refused mapped");
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
print(array[0], value.value, shared.buf[0], m.Pool(2).map(abs, [-1]))
shared.unlink()
END`;
    expect((await runner.run({ script })).output).toBe("3 3 3 [1]\n");
  });

  it("cannot read keys of the server", async () => {
    const script = `perl -e 'my $n = qx(uname -m) =~ /aarch64/ ? 219 : 250; my $b = " " x 64;
      my $k = syscall($n, 10, -3, my $type = "user", my $name = "parley", 0);
      syscall($n, 11, $k, $b, 64); print "key <$b>"'`;
    const { output } = await runner.run({ script });
    expect(output).toMatch(/key < {64}>/);
  });

  it("ends alone when it ends what holds it", async () => {
    await runner.run({ script: "kill -9 $PPID; kill -9 1; kill -9 -1; sleep 999", timeoutMs: 500 });
    expect((await runner.run({ script: "echo next" })).output).toBe("next\n");
  });

  it("leaves nothing after its timeout", async () => {
    const mark = `8${process.pid}`;
    const { hasEnded } = await runner.run({
      script: `sleep ${mark} & setsid sleep ${mark} & (setsid sh -c "sleep ${mark} & sleep ${mark} &")
        env -i setsid nohup sleep ${mark} & trap "" TERM INT HUP; sh -c 'sleep ${mark} & sleep ${mark}'`,
      timeoutMs: 500,
    });
    expect(hasEnded).toBe(true);
    expect(findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  it("leaves nothing when it ends by itself", async () => {
    const mark = `7${process.pid}`;
    const { exitCode } = await runner.run({
      script: `(setsid sh -c "sleep ${mark} & sleep ${mark} &") & sleep ${mark} & exit 0`,
    });
    expect(exitCode).toBe(0);
    expect(findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  it.each([0, 10, 30, 500])("ends with a server that is killed %i ms later", async (timeoutMs) => {
    const mark = `6${process.pid}`;
    const other = await start();
    const exited = once(other.process, "exit");
    const script = `setsid sleep ${mark} & sleep ${mark}`;
    await other.run({ script, timeoutMs, crash: true }).catch(() => undefined);
    expect(await exited).toEqual([null, "SIGKILL"]);
    await expect.poll(() => findProcesses(`sleep ${mark}`)).toEqual([]);
  });

  it("is ended as a fork bomb", async () => {
    const { exceeded, hasEnded } = await runner.run({
      script: "b() { b | b & }; b; sleep 5",
      limits: { processes: 100 },
    });
    expect({ exceeded, hasEnded }).toEqual({ exceeded: "processes", hasEnded: true });
  });

  it.each([
    ["without rights", "mkdir hidden; cd hidden; exec 3>file; chmod 0 ."],
    [
      "deeper than a path can be",
      `name=$(printf 'n%.0s' $(seq 200)); for i in $(seq 30); do mkdir $name && cd $name; done; exec 3>file`,
    ],
  ])("is ended when it fills the disk in a directory %s", async (_where, script) => {
    const { exceeded } = await runner.run({
      script: `(${script}; head -c 200M /dev/zero >&3; sleep 20)`,
      limits: { workspaceBytes: 50 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner.run({ script: "chmod -R u+rwx . ; rm -rf hidden n*" });
  });

  it("is ended when it fills the disk", async () => {
    const { exceeded } = await runner.run({
      script: "for i in $(seq 20); do head -c 200M /dev/zero > f$i; done; sleep 99",
      limits: { workspaceBytes: 50 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner.run({ script: "rm -f f*" });
  });

  it.each([
    ["that are open", "exec {file}>f; rm f; head -c 60M /dev/zero >&$file"],
    [
      "that are open in a process that cannot be traced",
      `perl -e 'syscall(qx(uname -m) =~ /aarch64/ ? 167 : 157, 4, 0); open(my $file, ">", "f"); unlink "f"; print $file "x" x 1e6 for 1 .. 60; sleep 60' &`,
    ],
    [
      "that are open in a program that cannot be read",
      "(cp /usr/bin/tail t; chmod 111 t; exec 3>f; rm f; head -c 60M /dev/zero >&3; exec ./t -f /dev/null) &",
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
  ])("is ended when it fills the disk with files without a name %s", async (_how, script) => {
    const { exceeded } = await runner.run({
      script: `for i in 1 2 3 4 5 6; do ${script}
        sleep 0.5; done; sleep 20`,
      limits: { workspaceBytes: 150 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner.run({ script: "rm -f f t" });
  });

  it("is ended when it fills the disk with empty files", async () => {
    const { exceeded } = await runner.run({
      script: `mkdir many; perl -e 'open(my $file, ">", "many/$_") for 1 .. 30_000'; sleep 60`,
      limits: { workspaceBytes: 20 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner.run({ script: "rm -rf many" });
  });

  it("stays on the processors that it shares with other commands", async () => {
    const { output } = await runner.run({
      script: `nproc; perl -e 'my $all = "\\xff" x 128;
        print syscall(qx(uname -m) =~ /aarch64/ ? 122 : 203, 0, 128, $all), "\\n"'
        (taskset -ac 0-127 -p $$; taskset -c 0-127 true) >/dev/null 2>&1; nproc`,
    });
    expect(output).toBe("1\n-1\n1\n");
  });

  it("cannot reserve disk, which would be faster than it is counted", async () => {
    const { exitCode, workspaceBytes } = await runner.run({ script: "fallocate -l 200M f" });
    expect(exitCode).toBe(1);
    expect(workspaceBytes).toBeLessThan(MEGABYTE);
  });

  it("can remove files of a workspace that is over its limit", async () => {
    const { exceeded, exitCode } = await runner.run({
      // What is there when the workspace is first measured, as the command starts, may stay.
      script: "sleep 1; head -c 2M /dev/zero > f && sleep 999",
      limits: { workspaceBytes: 10 },
    });
    expect(exceeded).toBe("workspace");
    expect(exitCode).toBeNull();
    expect(
      await runner.run({ script: "sleep 0.5; rm f", limits: { workspaceBytes: 10 } }),
    ).toMatchObject({ exitCode: 0, exceeded: null });
  });

  it("is ended when its processes together use too much memory", async () => {
    const { exceeded, output } = await runner.run({
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
    const { exceeded } = await runner.run({ script, limits: { memoryBytes: 120 * MEGABYTE } });
    expect(exceeded).toBe("memory");
  });

  it("may have files, sockets and processes that hold little", async () => {
    const script = `perl -e 'use Socket; for (1 .. 20) { next if fork;
      for (1 .. 10) { socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or die; push @all, $one, $other }
      for (1 .. 200) { open(my $file, "<", "/etc/hosts") or die; push @all, $file } sleep 1; exit } 1 while wait > 0; print "done"'`;
    const limits = { memoryBytes: 256 * MEGABYTE };
    expect(await runner.run({ script, limits })).toMatchObject({ exceeded: null, output: "done" });
  });

  // Once is enough: what the server reads does not depend on how it came.
  if (account !== "root" && kind === sandboxRows[0]?.kind) {
    it("writes 200 MB through the server without filling its memory", async () => {
      // What the server reads for the first time takes memory once.
      const first = await runner.run({ script: "head -c 100M /dev/zero" });
      const { bytes, memoryPeak } = await runner.run({ script: "yes | head -c 200M" });
      expect(bytes).toBe(200 * MEGABYTE);
      expect(memoryPeak - first.memoryPeak).toBeLessThan(50 * MEGABYTE);
    });
  }

  it("cannot type into the terminal of the server", async () => {
    const script = `perl -e 'open(my $t, "+<", "/dev/tty") or exit 1; ioctl($t, 0x5412, my $c = "x") or exit 2; exit 0'`;
    const [file = "", ...args] = listCommand(launcher, kind, JSON.stringify({ script }));
    const terminal = pty.spawn(file, args, { cwd: program.directory });
    let text = "";
    terminal.onData((data) => (text += data));
    await new Promise((resolve) => terminal.onExit(resolve));
    expect((JSON.parse(text) as CommandOutcome).exitCode, text).toBe(1);
  });
});

import pty from "@lydell/node-pty";
import { describe, expect, it } from "vitest";
import type { CommandOutcome, CommandRequest } from "@/test/programs/command-runner";
import {
  findProcesses,
  hasBubblewrap,
  MEGABYTE,
  sandboxVariants,
  useRunner,
  useRunnerProgram,
} from "@/test/sandbox-runner";

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

const program = useRunnerProgram();

it("tests bubblewrap too, where all tests must run", () => {
  if (process.env.CI) expect(hasBubblewrap, "install it: apt-get install bubblewrap").toBe(true);
});

describe.each(sandboxVariants)("a command in $kind of $account, with $way", (variant) => {
  const { kind, launcher, terminal } = variant;
  const withKey = [...launcher, "perl", "-e", ADD_KEY];
  const runner = useRunner(program, { kind, launcher: withKey });
  const run = (request: CommandRequest): Promise<CommandOutcome> =>
    runner().run({ ...request, terminal });

  it("runs in its workspace, with its environment only", async () => {
    const { output, exitCode } = await run({
      script: "pwd; env | cut -d= -f1 | sort | tr '\\n' ' '; echo text > file && cat file; exit 3",
    });
    expect(output).toBe("/workspace\nDATA PATH PORT PWD SERVER SHLVL _ text\n");
    expect(exitCode).toBe(3);
  });

  it("has variables of any text, and more than a pipe holds", async () => {
    const TEXT = "a=b\nc 'd' \"é\" $PATH ";
    const long = "x".repeat(100_000);
    const { output } = await run({
      script: 'echo "<$TEXT><${EMPTY-unset}>"; echo ${#LONG} ${#OTHER}',
      env: { TEXT, EMPTY: "", LONG: long, OTHER: long },
    });
    expect(output).toBe(`<${TEXT}><>\n100000 100000\n`);
  });

  it("reaches its proxy, and nothing else of the host", async () => {
    const { output } = await run({
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
    ["open a terminal that is not its own", "ls /dev/pts /dev/tty[0-9]* | grep -x '.*[0-9]'"],
    ["fill the private /tmp", "head -c 1G /dev/zero > /tmp/x"],
    ["fill the shared memory", "head -c 1G /dev/zero > /dev/shm/x"],
    [
      "write a file over its limit",
      "head -c 300M /dev/zero > big; size=$(stat -c %s big); rm big; test $size -gt 270000000",
    ],
    ["reserve memory over its limit", "perl -e '$x = q(a) x 2_000_000_000'"],
  ])("cannot %s", async (_, script) => {
    const limits = { workspaceBytes: 1024 * MEGABYTE };
    const { exitCode, output } = await run({ script, limits });
    expect(output).not.toContain("a secret of the server");
    expect(exitCode, output).not.toBe(0);
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
    const { output } = await run({ script });
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
    expect((await run({ script })).output).toBe(`${EPERM}\n${EPERM}\n${EPERM}\n`);
  });

  it("cannot hide memory in files without a name, segments or queues", async () => {
    const calls =
      "qx(uname -m) =~ /aarch64/ ? (279, 194, 186, 190, 75, 425) : (319, 29, 68, 64, 278, 425)";
    const script = `perl -e 'my @calls = ${calls};
      print join " ", syscall($calls[0], my $name = "x", 0), map { syscall($_, 1, 1, 0777) } @calls[1..5]'`;
    expect((await run({ script })).output).toBe("-1 -1 -1 -1 -1 -1");
  });

  it("cannot give a thread files of its own, which are shown nowhere else", async () => {
    const script = `perl -e 'my ($clone, $unshare) = qx(uname -m) =~ /aarch64/ ? (220, 97) : (56, 272);
      print join " ", syscall($clone, 0x10900, 0, 0, 0, 0), syscall($unshare, 0x400), syscall(436, 900, 901, 2), syscall(435, 0, 0),
        syscall(436, 900, 901, 0)'; python3 -c 'import threading; threading.Thread(target=print, args=["ran"]).start()'`;
    expect((await run({ script })).output).toBe("-1 -1 -1 -1 0ran\n");
  });

  it("cannot hold shared memory that no process has resident", async () => {
    const script = `perl -e 'my $mmap = qx(uname -m) =~ /aarch64/ ? 222 : 9;
      open(my $zero, "+<", "/dev/zero") or die $!;
      read($zero, my $read, 3);
      print unpack("H*", $read), " ";
      print join " ", map { syscall($mmap, 0, 4096, 3, @$_, 0) != -1 ? "mapped" : "refused" }
        [0x21, -1], [0x01, fileno $zero], [0x22, -1];'`;
    expect((await run({ script })).output).toBe("000000 refused refused mapped");
  });

  it("shares memory between its processes by files, which are counted", async () => {
    // Its tracker of resources may just begin when all is done, and would write that its files are gone.
    const script = `python3 - 2>/dev/null <<'END'
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
    expect((await run({ script })).output).toBe("3 3 3 [1]\n");
  });

  it("cannot read keys of the server", async () => {
    const script = `perl -e 'my $n = qx(uname -m) =~ /aarch64/ ? 219 : 250; my $b = " " x 64;
      my $k = syscall($n, 10, -3, my $type = "user", my $name = "parley", 0);
      syscall($n, 11, $k, $b, 64); print "key <$b>"'`;
    const { output } = await run({ script });
    expect(output).toMatch(/key < {64}>/);
  });

  it("stays on the processors that it shares with other commands", async () => {
    const { output } = await run({
      script: `nproc; perl -e 'my $all = "\\xff" x 128;
        print syscall(qx(uname -m) =~ /aarch64/ ? 122 : 203, 0, 128, $all), "\\n"'
        (taskset -ac 0-127 -p $$; taskset -c 0-127 true) >/dev/null 2>&1; nproc`,
    });
    expect(output).toBe("1\n-1\n1\n");
  });

  // A command with a terminal has one of its own.
  if (terminal) return;

  it("has variables whose values no list of processes shows", async () => {
    const sleep = `sleep 9${process.pid}`;
    const value = `value-9${process.pid}`;
    const running = run({
      script: `echo "$TOKEN"; (tr -d '\\0' < /proc/1/environ) 2>/dev/null; exec ${sleep}`,
      env: { TOKEN: value },
    });
    const findSleep = () => findProcesses(sleep).find((line) => line.trim().endsWith(` ${sleep}`));
    await expect.poll(findSleep).toBeDefined();
    expect(findProcesses(value)).toHaveLength(0);
    process.kill(Number.parseInt(findSleep() ?? "", 10), "SIGKILL");
    // Bubblewrap adds a variable of its own.
    expect((await running).output.replace(/PWD=\/$/, "")).toBe(`${value}\n`);
  });

  it("cannot use the terminal of the server, or type into it", async () => {
    expect((await run({ script: "exec 3<>/dev/tty" })).exitCode).toBe(1);
    const script = `perl -e 'open(my $t, "+<", "/dev/tty") or exit 1; ioctl($t, 0x5412, my $c = "x") or exit 2; exit 0'`;
    const [file = "", ...args] = [
      ...withKey,
      ...program().command,
      kind,
      JSON.stringify({ script }),
    ];
    const terminal = pty.spawn(file, args, { cwd: program().directory });
    let text = "";
    terminal.onData((data) => (text += data));
    await new Promise((resolve) => terminal.onExit(resolve));
    expect((JSON.parse(text) as CommandOutcome).exitCode, text).toBe(1);
  });
});

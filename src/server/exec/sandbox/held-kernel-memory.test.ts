import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { MEGABYTE, sandboxRows, useRunner, useRunnerProgram } from "@/test/sandbox-runner";

const program = useRunnerProgram();

/** Locks bytes of many files, each by itself: the kernel goes through all other locks of a file. */
const LOCKS = `my $directory = $ARGV[0] // "/tmp"; for (1 .. 900) { open(my $file, "+>", "$directory/$_") or die $!; push @all, $file; unlink "$directory/$_";
  fcntl($file, 6, pack "s s x4 q q i x4", 1, 0, $_ * 2, 1, 0) or die $! for 1 .. 1000 }`;

describe.each(sandboxRows)("a command in $kind of $account", ({ kind, launcher }) => {
  const runner = useRunner(program, { kind, launcher });

  it("cannot multiply what the kernel holds for rules, reports of changes, timers and signals", async () => {
    const script = `perl -e 'my ($landlock, $fanotify, $inotify, $timer) = qx(uname -m) =~ /aarch64/ ? (444, 262, 26, 107) : (444, 300, 294, 222);
      print join " ", syscall($landlock, 0, 0, 1), syscall($fanotify, 0x200, 0), "";
      my ($watchers, $timers) = (0, 0);
      $watchers++ while syscall($inotify, 0) != -1;
      $timers++ while syscall($timer, 1, 0, my $id = pack "x8") != -1;
      print "$watchers $timers"'`;
    expect((await runner().run({ script })).output).toBe("-1 -1 16 4096");
  });

  it.each([
    [
      "answers of the kernel that it does not read",
      `perl -e 'for (1 .. 4) { next if fork; for (1 .. 900) { socket(my $one, 16, 3, 0) or die $!; push @all, $one;
        send($one, pack("L S S L L x16", 32, 18, 0x301, 1, 0), 0x40) for 1 .. 64 } sleep 20; exit } sleep 20'`,
    ],
    ["locks", `perl -e '${LOCKS} sleep 20'`],
    [
      "what the kernel tells of its locks",
      `perl -e 'open(my $file, "+>", "/tmp/x") or die $!; fcntl($file, 6, pack "s s x4 q q i x4", 1, 0, $_ * 2, 1, 0) or die $! for 1 .. 3000;
      for (1 .. 900) { open(my $told, "<", "/proc/self/fdinfo/" . fileno $file) or die $!; sysread $told, my $start, 1; push @all, $told } sleep 20'`,
    ],
    [
      "locks of a process that cannot be traced",
      `perl -e 'syscall(qx(uname -m) =~ /aarch64/ ? 167 : 157, 4, 0); ${LOCKS} sleep 20'`,
    ],
    [
      "locks of files that are open nowhere but in a socket",
      `python3 -c 'import fcntl, os, socket, struct, time
keep = []
for file in range(450):
    f = os.open(f"/tmp/{file}", os.O_CREAT | os.O_RDWR)
    for at in range(2000): fcntl.fcntl(f, 37, struct.pack("hhxxxxqqixxxx", 1, 0, at * 2, 1, 0))
    pair = socket.socketpair()
    socket.send_fds(pair[0], [b"x"], [f])
    keep.append(pair)
    os.close(f)
time.sleep(20)'`,
    ],
    [
      "what it waits for",
      `perl -e 'my ($create, $control) = qx(uname -m) =~ /aarch64/ ? (20, 21) : (291, 233);
      pipe(my $in, my $out); open($all[$_], "<&", $in) or die $! for 0 .. 499;
      for (1 .. 6) { next if fork; for (1 .. 480) { my $e = syscall($create, 0); $e > 0 or die $!;
        syscall($control, $e, 1, fileno $_, my $event = pack "x16") and die $! for @all } sleep 20; exit } sleep 20'`,
    ],
  ])("is ended when it uses too much memory by %s", async (_how, script) => {
    const { exceeded } = await runner().run({ script, limits: { memoryBytes: 120 * MEGABYTE } });
    expect(exceeded).toBe("memory");
  });

  it("goes on when others make the kernel hold memory", async () => {
    const { dataDir } = await runner().state();
    const script = "until [ -e go ]; do sleep 0.1; done; sleep 1; rm -f go; echo done";
    const running = runner().run({ script, limits: { memoryBytes: 120 * MEGABYTE } });
    const other = spawn("perl", ["-e", `$| = 1; ${LOCKS} print "held"; sleep 60`, tmpdir()]);
    await once(other.stdout, "data");
    await writeFile(path.join(dataDir, "workspaces/one/go"), "");
    expect(await running).toMatchObject({ exceeded: null, output: "done\n" });
    other.kill("SIGKILL");
    await once(other, "exit");
  });
});

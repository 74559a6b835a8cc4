import { describe, expect, it } from "vitest";
import { MEGABYTE, sandboxRows, useRunner, useRunnerProgram } from "@/test/sandbox-runner";

const program = useRunnerProgram();

describe.each(sandboxRows)("a command in $kind of $account", ({ kind, launcher }) => {
  const runner = useRunner(program, { kind, launcher });

  it.each([
    ["without rights", "mkdir hidden; cd hidden; exec 3>file; chmod 0 ."],
    [
      "deeper than a path can be",
      `name=$(printf 'n%.0s' $(seq 200)); for i in $(seq 30); do mkdir $name && cd $name; done; exec 3>file`,
    ],
  ])("is ended when it fills the disk in a directory %s", async (_where, script) => {
    const { exceeded } = await runner().run({
      script: `(${script}; head -c 200M /dev/zero >&3; sleep 20)`,
      limits: { workspaceBytes: 50 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner().run({ script: "chmod -R u+rwx . ; rm -rf hidden n*" });
  });

  it("is ended when it fills the disk", async () => {
    const { exceeded } = await runner().run({
      script: "for i in $(seq 20); do head -c 200M /dev/zero > f$i; done; sleep 99",
      limits: { workspaceBytes: 50 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner().run({ script: "rm -f f*" });
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
    const { exceeded } = await runner().run({
      script: `for i in 1 2 3 4 5 6; do ${script}
        sleep 0.5; done; sleep 20`,
      limits: { workspaceBytes: 150 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner().run({ script: "rm -f f t" });
  });

  it("is ended when it fills the disk with empty files", async () => {
    const { exceeded } = await runner().run({
      script: `mkdir many; perl -e 'open(my $file, ">", "many/$_") for 1 .. 30_000'; sleep 60`,
      limits: { workspaceBytes: 20 * MEGABYTE },
    });
    expect(exceeded).toBe("workspace");
    await runner().run({ script: "rm -rf many" });
  });

  it("cannot reserve disk, which would be faster than it is counted", async () => {
    const { exitCode, workspaceBytes } = await runner().run({ script: "fallocate -l 200M f" });
    expect(exitCode).toBe(1);
    expect(workspaceBytes).toBeLessThan(MEGABYTE);
  });

  it("can remove files of a workspace that is over its limit", async () => {
    const { exceeded, exitCode } = await runner().run({
      // What is there when the workspace is first measured, as the command starts, may stay.
      script: "sleep 1; head -c 2M /dev/zero > f && sleep 999",
      limits: { workspaceBytes: 10 },
    });
    expect(exceeded).toBe("workspace");
    expect(exitCode).toBeNull();
    expect(
      await runner().run({ script: "sleep 0.5; rm f", limits: { workspaceBytes: 10 } }),
    ).toMatchObject({ exitCode: 0, exceeded: null });
  });
});

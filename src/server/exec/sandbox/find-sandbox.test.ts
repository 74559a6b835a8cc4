import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunnerState } from "@/test/programs/command-runner";
import { copyRunnerProgram, ordinaryLauncher, type RunnerProgram } from "@/test/sandbox-runner";
import { findSandbox } from "./find-sandbox";

const options = { privateDirectories: [] };

describe("findSandbox", () => {
  it("finds none and tries none when commands are off", async () => {
    expect(await findSandbox("off", options)).toEqual({ sandbox: undefined, failures: [] });
  });

  it("finds plain processes when the operator wants no sandbox", async () => {
    const { sandbox, failures } = await findSandbox("none", options);
    expect({ kind: sandbox?.kind, failures }).toEqual({ kind: "none", failures: [] });
  });

  it("finds the one that was asked for, or says why it does not work", async () => {
    const { sandbox, failures } = await findSandbox("unshare", options);
    expect({ kind: sandbox?.kind, failures }).toEqual({ kind: "unshare", failures: [] });
  });

  it("finds the first that works by itself, and says why others do not", async () => {
    const bubblewrap = await findSandbox("bubblewrap", options);
    const { sandbox, failures } = await findSandbox("auto", options);
    expect(sandbox?.kind).toBe(bubblewrap.sandbox ? "bubblewrap" : "unshare");
    expect(failures).toEqual(bubblewrap.failures);
  });
});

describe("where the system forbids what a sandbox needs", () => {
  let program: RunnerProgram;
  beforeAll(async () => {
    program = await copyRunnerProgram();
  });
  afterAll(() => program.remove());

  /** Enters a user namespace as an ordinary account, makes a change to it, and becomes the program of the arguments. */
  const createEntry = (change: string) => `
    my ($unshare, $mount) = qx(uname -m) =~ /aarch64/ ? (97, 40) : (272, 165);
    my ($user, $group) = ($> + 0, $) + 0);
    sub put { open(my $file, ">", $_[0]) or die "$_[0]: $!"; syswrite($file, $_[1]) or die "$_[0]: $!" }
    syscall($unshare, 0x10020000) == 0 or die "unshare: $!";
    put("/proc/self/setgroups", "deny");
    put("/proc/self/uid_map", "1000 $user 1");
    put("/proc/self/gid_map", "1000 $group 1");
    ${change}
    exec @ARGV`;
  const FORBID_NAMESPACES = createEntry(`put("/proc/sys/user/max_user_namespaces", "0");`);
  /** As container runtimes cover some files. */
  const COVER_PROC = createEntry(`
    my ($source, $target) = ("/dev/null", "/proc/uptime");
    syscall($mount, $source, $target, 0, 0x1000, 0) == 0 or die "mount: $!";`);

  const findProblem = async (entry: string, kind: string): Promise<string | null> => {
    const [file = "", ...args] = [
      ...ordinaryLauncher,
      "perl",
      "-e",
      entry,
      ...program.command,
      kind,
    ];
    const child = spawn(file, args, {
      cwd: program.directory,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const [state] = (await once(child, "message")) as [RunnerState];
    child.disconnect();
    await once(child, "exit");
    return state.problem;
  };

  it.each([
    ["bubblewrap", "user namespaces", FORBID_NAMESPACES, "forbids user namespaces"],
    ["unshare", "user namespaces", FORBID_NAMESPACES, "forbids user namespaces"],
    ["bubblewrap", "mounts", COVER_PROC, "forbids the mounts of a sandbox"],
    ["unshare", "mounts", COVER_PROC, "forbids the mounts of a sandbox"],
  ])("%s is not found without %s, and the reason says so", async (kind, _what, entry, reason) => {
    expect(await findProblem(entry, kind)).toMatch(new RegExp(`${reason}|bwrap is not installed`));
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunnerState } from "@/test/programs/command-runner";
import { bundleTestProgram } from "@/test/start-program";
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

describe("where user namespaces are forbidden", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "parley-forbidden-"));
    await chmod(directory, 0o755);
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** Copies what another account than that of the tests must be able to read. */
  const copyPrograms = async (): Promise<[node: string, program: string]> => {
    const [node, program] = [path.join(directory, "node"), path.join(directory, "runner.mjs")];
    await copyFile(process.execPath, node);
    await copyFile(await bundleTestProgram("command-runner"), program);
    for (const file of [node, program]) await chmod(file, 0o755);
    return [node, program];
  };

  /** Enters a user namespace, whose processes may create no further one, as an ordinary account. */
  const FORBID = `my $unshare = qx(uname -m) =~ /aarch64/ ? 97 : 272;
    my ($user, $group) = ($> + 0, $) + 0);
    sub put { open(my $file, ">", $_[0]) or die "$_[0]: $!"; syswrite($file, $_[1]) or die "$_[0]: $!" }
    syscall($unshare, 0x10000000) == 0 or die "unshare: $!";
    put("/proc/self/setgroups", "deny");
    put("/proc/self/uid_map", "1000 $user 1");
    put("/proc/self/gid_map", "1000 $group 1");
    put("/proc/sys/user/max_user_namespaces", "0");
    exec @ARGV`;
  const leaveRoot = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

  it.each(["bubblewrap", "unshare"])("%s is not found, and the reason says so", async (kind) => {
    const [file = "", ...args] = [
      ...(process.getuid?.() === 0 ? leaveRoot : []),
      ...["perl", "-e", FORBID, ...(await copyPrograms()), kind],
    ];
    const child = spawn(file, args, {
      cwd: directory,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const [state] = (await once(child, "message")) as [RunnerState];
    child.disconnect();
    await once(child, "exit");
    expect(state.problem).toMatch(/forbids user namespaces|bwrap is not installed/);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { INNER_FILES } from "@/server/exec/sandbox/inner-command";
import { SYSTEM_PROGRAMS } from "@/server/exec/sandbox/host-programs";
import { inspectHost } from "@/server/exec/sandbox/host-system";
import { giveToCommands as prepareWorkspace } from "@/server/exec/sandbox/workspace-owner";
import { runPerl } from "@/test/run-perl";
import giveToCommands from "./give-to-commands.pl?raw";
import mountFiles from "./mount-files.pl?raw";
import runInNamespaces from "./run-in-namespaces.pl?raw";
import memoryGroup from "./memory-group.pl?raw";
import supervise from "./supervise.pl?raw";

const isRoot = process.getuid?.() === 0;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "parley-namespaces-"));
  if (isRoot) await prepareWorkspace(directory);
});
afterEach(() => rm(directory, { recursive: true }));

it("runs a command in a sandbox of its own, and ends as the command does", async () => {
  const { shown, findProgram } = inspectHost([], SYSTEM_PROGRAMS);
  const script =
    "pwd; id -u; uname -n; cat; echo $A; unshare --user true 2>/dev/null || echo alone; : >file; kill -TERM $$";
  const outcome = await runPerl({
    files: [memoryGroup, supervise, giveToCommands, ...INNER_FILES, mountFiles, runInNamespaces],
    settings: {
      isRoot,
      chown: findProgram("chown"),
      shown,
      hidden: [],
      workspace: "/workspace",
      callDirectory: "/call",
      nameServers: "/etc/resolv.conf",
      tmpBytes: 4096,
      sharedMemoryBytes: 4096,
    },
    args: ["", "/workspace", "/bin/sh", "-c", script],
    env: { V0: directory, V1: "", V2: "", V3: "PATH=/usr/bin:/bin", V4: "A=text" },
  });
  expect(outcome).toEqual({
    exitCode: null,
    signal: "SIGTERM",
    stdout: "/workspace\n1000\nsandbox\ntext\nalone\n",
    stderr: "",
  });
});

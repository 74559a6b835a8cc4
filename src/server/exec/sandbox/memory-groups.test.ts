import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HANGING } from "@/test/hanging";
import { copyRunnerProgram, hasBubblewrap, startRunner } from "@/test/sandbox-runner";
import { startCommand } from "@/server/exec/command";
import { trackAlone } from "@/server/tools/workspace/tracked-disk";
import { findSandbox } from "./find-sandbox";
import { createCommandLimits } from "./limits";
import { findGroupPlace, findMemoryGroups } from "./memory-groups";
import type { Launch } from "./sandbox";
import { type ExceededLimit, watchTree } from "./watch-tree";

const MEGABYTE = 1024 * 1024;
const eventually = <Result>(check: () => Result) => vi.waitFor(check, HANGING);
const MEMORY_BYTES = 128 * MEGABYTE;

const V2_MOUNT =
  "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot";
const V1_MOUNT = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory";
const TWO_CONTROLLERS =
  "36 31 0:33 / /sys/fs/cgroup/cpu,memory rw shared:9 - cgroup cgroup rw,cpu,memory";
const HYBRID_V2 = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";
const OTHER_MOUNTS = [
  "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
  "34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset",
];
const SERVICE = "/system.slice/parley.service";

describe("the place for memory groups is", () => {
  const find = (groups: readonly string[], mounts: readonly string[]) =>
    findGroupPlace(`${groups.join("\n")}\n`, [...OTHER_MOUNTS, ...mounts, ""].join("\n"));

  it.each([
    [
      "the group above that of the server, where its name says so",
      [`0::${SERVICE}/parley-server`],
      [V2_MOUNT],
      `2 /sys/fs/cgroup${SERVICE}`,
    ],
    [
      "that of a service of an ordinary user",
      ["0::/user.slice/user-1000.slice/user@1000.service/app.slice/parley.service/parley-server"],
      [V2_MOUNT],
      "2 /sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/parley.service",
    ],
    ["the root of a container", ["0::/parley-server"], [V2_MOUNT], "2 /sys/fs/cgroup"],
    [
      "in a container that sees a part of the paths",
      ["0::/docker/abc/parley-server"],
      [V2_MOUNT.replace(" / /sys", " /docker/abc /sys")],
      "2 /sys/fs/cgroup",
    ],
    [
      "at a mount whose name has white space",
      ["0::/a/parley-server"],
      [String.raw`30 23 0:26 / /my\040groups rw - cgroup2 cgroup2 rw`],
      "2 /my groups/a",
    ],
    [
      "the group of the server in version 1",
      ["9:name=systemd:/", "4:memory:/api/one", "3:cpuset:/", "0::/"],
      [V1_MOUNT, HYBRID_V2],
      "1 /sys/fs/cgroup/memory/api/one",
    ],
    [
      "that of two controllers",
      ["5:cpu,memory:/docker/abc"],
      [TWO_CONTROLLERS.replace(" / /sys", " /docker/abc /sys")],
      "1 /sys/fs/cgroup/cpu,memory",
    ],
  ])("%s", (_, groups, mounts, expected) => {
    const place = find(groups, mounts);
    expect(`${place?.version} ${place?.directory}`).toBe(expected);
  });

  it.each([
    ["of a service", [`0::${SERVICE}`], [V2_MOUNT]],
    ["of a session", ["0::/user.slice/user-0.slice/session-3.scope"], [V2_MOUNT]],
    ["of a container", ["0::/"], [V2_MOUNT]],
    ["with another name", ["0::/kubepods/pod1/abc"], [V2_MOUNT]],
    ["above what is mounted", ["0::/../parley-server"], [V2_MOUNT]],
    [
      "beside what is mounted",
      ["0::/docker/abcd/parley-server"],
      [V2_MOUNT.replace(" / /sys", " /docker/abc /sys")],
    ],
    ["that is not mounted", [`0::${SERVICE}/parley-server`], []],
    ["of a service in version 1", [`4:memory:${SERVICE}`, "0::/parley-server"], [V1_MOUNT]],
    ["of the machine in version 1", ["4:memory:/", "0::/"], [V1_MOUNT]],
    ["of version 1 without a mount", ["4:memory:/api/one"], [HYBRID_V2]],
    ["of no kind", [""], []],
  ])("nowhere for a server in a group %s", (_, groups, mounts) => {
    expect(find(groups, mounts)).toBeUndefined();
  });
});

const found = await findMemoryGroups(MEMORY_BYTES);
const place = findGroupPlace(
  readFileSync("/proc/self/cgroup", "utf8"),
  readFileSync("/proc/self/mountinfo", "utf8"),
);
const directory = place?.directory ?? "";
const listGroups = (pid = process.pid): string[] =>
  readdirSync(directory).filter((name) => name.startsWith(`parley-command-${pid}-`));

const kinds = ["none", "unshare", ...(hasBubblewrap ? (["bubblewrap"] as const) : [])] as const;

/** Fills local sockets, whose memory is in no process, by four processes, and prints when it is held. */
const FILL_SOCKETS = `perl -MSocket -MFcntl -e '
  for (1 .. 4) {
    next if fork;
    my ($text, @held) = "x" x 65536;
    for (1 .. 200) {
      socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) or die;
      for my $each ($one, $other) {
        fcntl $each, F_SETFL, O_NONBLOCK;
        1 while syswrite $each, $text;
        push @held, $each;
      }
    }
    syswrite STDOUT, "held\\n";
    sleep 60;
    exit;
  }
  sleep 2;
  kill "KILL", -getpgrp'`;

describe.runIf(found.createGroup)("the memory group of a command", () => {
  let workspace: string;
  beforeEach(async () => {
    workspace = await mkdtemp(path.join(os.tmpdir(), "parley-groups-"));
  });
  afterEach(() => rm(workspace, { recursive: true }));

  const start = async (kind: (typeof kinds)[number], script: string) => {
    const limits = createCommandLimits(MEMORY_BYTES);
    const { sandbox } = await findSandbox(kind, {
      privateDirectories: [],
      resources: { limits, processors: "" },
    });
    if (!sandbox) throw new Error("no sandbox");
    await sandbox.prepareWorkspace(workspace);
    const launch = sandbox.launch({
      argv: ["/bin/bash", "-c", script],
      workspace,
      cwd: "",
      network: true,
      env: { PATH: sandbox.environment.PATH },
    });
    return watch(launch, workspace);
  };

  describe.each(kinds)("in %s", (kind) => {
    it("ends it when the kernel holds too much memory for its processes", async () => {
      const command = await start(kind, FILL_SOCKETS);
      expect(await command.ended).toMatchObject({ exceeded: "memory" });
      expect(listGroups()).toEqual([]);
    });

    it("does not count files that the kernel can forget", async () => {
      const command = await start(kind, "head -c 200M /dev/zero >file; cat file file | wc -c");
      expect(await command.ended).toEqual({ exceeded: undefined, output: "419430400\n" });
    });

    it("has all its processes, is not shown to them, and is removed with them", async () => {
      const command = await start(
        kind,
        "sleep 61 & setsid sleep 62 & grep memory /proc/self/cgroup; grep -c cgroup /proc/self/mounts; echo started; wait",
      );
      await eventually(() => expect(command.output()).toContain("started\n"));
      const [group = "", ...others] = listGroups();
      expect(others).toEqual([]);
      const procs = path.join(directory, group, "cgroup.procs");
      await eventually(() => {
        const lines = readFileSync(procs, "utf8").trim().split("\n").map(readCommandLine);
        expect(lines).toEqual(expect.arrayContaining(["sleep 61 ", "sleep 62 "]));
      });
      if (kind !== "none") expect(command.output()).toMatch(/^\d+:[a-z,]*:\/\n0\n/);
      await command.end();
      expect(listGroups()).toEqual([]);
    });
  });

  it.each([false, true])(
    "ends a command with the sentence of its limit, terminal: %s",
    async (pty) => {
      const limits = createCommandLimits(MEMORY_BYTES);
      const resources = { limits, processors: "" };
      const { sandbox } = await findSandbox("none", { privateDirectories: [], resources });
      if (!sandbox) throw new Error("no sandbox");
      await sandbox.prepareWorkspace(workspace);
      const command = startCommand(sandbox, {
        text: FILL_SOCKETS,
        pty,
        hasInput: false,
        timeoutSeconds: 0,
        limits,
        workspace: {
          directory: workspace,
          cwd: "",
          maxBytes: 1024 * MEGABYTE,
          measure: () => Promise.resolve(0),
          track: trackAlone,
        },
        env: { PATH: sandbox.environment.PATH },
      });
      await command.ended;
      expect(command.state().status).toBe("killed");
      expect(command.note()).toBe(
        "The command used more than 128 MB of memory, so the server ended it.",
      );
    },
  );

  it("is removed by the next server, if its own was killed", async () => {
    const program = await copyRunnerProgram();
    const runner = await startRunner([...program.command, "unshare"], program.directory);
    const { pid = 0 } = runner.process;
    runner.run({ script: "sleep 60" }).catch(() => undefined);
    await eventually(() => expect(listGroups(pid)).toHaveLength(1));
    const exited = once(runner.process, "exit");
    runner.process.kill("SIGKILL");
    await exited;
    expect(listGroups(pid)).toHaveLength(1);
    await eventually(async () => {
      await findMemoryGroups(MEMORY_BYTES);
      expect(listGroups(pid)).toEqual([]);
    });
    await program.remove();
  });

  it("stays when another server starts", async () => {
    const other = path.join(directory, `parley-command-${process.ppid}-1`);
    mkdirSync(other);
    await findMemoryGroups(MEMORY_BYTES);
    expect(existsSync(other)).toBe(true);
    rmdirSync(other);
  });
});

const readCommandLine = (pid: string): string =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");

/** Starts a launch and watches it as the server does. */
const watch = (launch: Launch, workspace: string) => {
  const { file, args, cwd, env, detached } = launch;
  const child = spawn(file, args, { cwd, env, detached, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  let exceeded: ExceededLimit | undefined;
  const tree = watchTree({
    pid: child.pid ?? 0,
    launch,
    workspace,
    limits: { ...createCommandLimits(MEMORY_BYTES), workspaceBytes: 1024 * MEGABYTE },
    measureWorkspace: () => Promise.resolve(0),
    onExceeded: (limit) => (exceeded = limit),
  });
  const ended = once(child, "exit")
    .then(tree.end)
    .then(() => ({ exceeded, output }));
  return { ended, output: () => output, end: tree.end };
};

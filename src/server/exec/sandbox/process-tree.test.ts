import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { findProcesses } from "@/test/sandbox-runner";
import { createPlainProcess, TREE_VARIABLE } from "./plain-process";
import { readProcessTable } from "./process-table";
import { createProcessTree, type ProcessTree } from "./process-tree";
import type { Launch } from "./sandbox";

const workspace = mkdtempSync(path.join(os.tmpdir(), "parley-tree-"));
afterAll(() => {
  rmSync(workspace, { recursive: true });
});

let count = 0;
// Without the process that ends them by itself.
const sandbox = createPlainProcess(() => `tree-${process.pid}-${count++}`, { holder: [] });

type Started = { child: ChildProcess; tree: ProcessTree; launch: Launch };

/** Starts a script and waits for its first line. */
const start = async (script: string): Promise<Started> => {
  const argv = ["/bin/sh", "-c", script];
  const env = { PATH: "/usr/bin:/bin" };
  const launch = sandbox.launch({ argv, workspace, cwd: "", env });
  const { file, args, cwd, env: launchEnv, detached } = launch;
  const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
  const child = spawn(file, args, { cwd, env: launchEnv, detached, stdio });
  const tree = createProcessTree(child.pid ?? 0, launch);
  await once(child.stdout, "data");
  return { child, tree, launch };
};

const countAlive = (pids: number[]): number => {
  const table = readProcessTable();
  return pids.filter((pid) => table.get(pid)?.isZombie === false).length;
};

const FIRST_THREAD_ENDS = `python3 -c '
import ctypes, platform, threading, time
threading.Thread(target=time.sleep, args=[999]).start()
print("ready", flush=True)
ctypes.CDLL(None).syscall(93 if platform.machine() == "aarch64" else 60, 0)'; true`;

it.each([
  ["children", "sleep 999 & echo ready; sleep 999", 3],
  ["a process in a session of its own", "setsid sleep 999 & echo ready; sleep 999", 3],
  ["a process whose parents have ended", "(setsid sh -c 'sleep 999 &'); echo ready; sleep 999", 3],
  ["processes that ignore signals", "trap '' TERM INT HUP; sleep 999 & echo ready; wait", 2],
  [
    "an orphan in another session when all others have ended",
    "(setsid sleep 999 &); echo ready",
    1,
  ],
  [
    "a child in another session without an environment",
    "env -i setsid sleep 999 & echo ready; sleep 999",
    3,
  ],
  ["a process whose first thread has ended", FIRST_THREAD_ENDS, 2],
  [
    "an orphan whose variables cannot be read at first, as of one that begins a program",
    `(setsid env -i sh -c "sleep 0.5; exec env ${TREE_VARIABLE}=$${TREE_VARIABLE} sleep 999" &); echo ready; sleep 999`,
    3,
  ],
])("ends %s", async (_, script, expected) => {
  const { tree } = await start(script);
  await expect.poll(() => tree.list().length).toBe(expected);
  const pids = tree.list().map(({ pid }) => pid);
  expect(await tree.end()).toBe(true);
  expect(countAlive(pids)).toBe(0);
});

it("follows a process that was once seen, after its environment and its parents are gone", async () => {
  const { tree, child } = await start(
    "(env -i setsid sh -c 'echo ready; read x </dev/null; sleep 999' & sleep 0.3)",
  );
  await expect.poll(() => tree.list().length).toBeGreaterThan(2);
  const exited = once(child, "exit");
  process.kill(child.pid ?? 0, "SIGKILL");
  await exited;
  expect(tree.list().length).toBeGreaterThan(0);
  const pids = tree.list().map(({ pid }) => pid);
  expect(await tree.end()).toBe(true);
  expect(countAlive(pids)).toBe(0);
});

it("ends what was started after the last look, when its parent has ended", async () => {
  const { tree, child } = await start(
    "echo ready; while [ ! -e go ]; do sleep 0.01; done; env -i sleep 999 & wait",
  );
  const pid = child.pid ?? 0;
  expect(tree.list().map((row) => row.pid)).toContain(pid);
  writeFileSync(path.join(workspace, "go"), "");
  const findOthers = () =>
    [...readProcessTable().values()].filter((row) => row.session === pid && row.pid !== pid);
  const isSleeping = ({ pid: other }: { pid: number }) =>
    readFileSync(`/proc/${other}/cmdline`, "utf8").includes("999");
  await expect.poll(() => findOthers().some(isSleeping)).toBe(true);
  const pids = findOthers().map((row) => row.pid);
  const exited = once(child, "exit");
  process.kill(pid, "SIGKILL");
  await exited;
  expect(await tree.end()).toBe(true);
  expect(countAlive(pids)).toBe(0);
});

it("ends neither the server nor what else it has started", async () => {
  const other = await start("echo ready; sleep 999");
  const { tree } = await start("echo ready; sleep 999");
  expect(await tree.end()).toBe(true);
  expect(countAlive([other.child.pid ?? 0, process.pid])).toBe(2);
  await other.tree.end();
});

it("has nothing to end after the end", async () => {
  const { tree, child } = await start("echo ready");
  if (child.exitCode === null) await once(child, "exit");
  expect(tree.list()).toEqual([]);
  expect(await tree.end()).toBe(true);
});

it("ends an orphan whose variables cannot be read yet when all others have ended", async () => {
  const go = path.join(workspace, "go-orphan");
  const { child, tree } = await start(
    `(setsid env -i /bin/sh -c "echo ready; until [ -e ${go} ]; do :; done; exec /usr/bin/env ${TREE_VARIABLE}=$${TREE_VARIABLE} /bin/sleep 998" &)`,
  );
  if (child.exitCode === null) await once(child, "exit");
  const ended = tree.end();
  writeFileSync(go, "");
  expect(await ended).toBe(true);
  await expect.poll(() => findProcesses(go)).toEqual([]);
  expect(findProcesses("sleep 998")).toEqual([]);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "../../scripts/bundle-program.mjs";
import { getMedian } from "./statistics.mjs";

const RUNS = 40;
const WARM_UP = 5;
const KINDS = ["bubblewrap", "unshare"];
const ARGV = ["/bin/bash", "-c", "true"];
const ENV = { PATH: "/usr/bin:/bin" };

/** @returns milliseconds from the start of a process to its end. */
const measureProcess = async ({ file, args, cwd, env }) => {
  const start = performance.now();
  await once(spawn(file, args, { cwd, env, detached: true, stdio: "ignore" }), "close");
  return performance.now() - start;
};

/** Measures a command in each sandbox that works here, and the same as a plain process, by turns. */
export const runSandbox = async () => {
  const bundle = await bundleProgram("src/server/exec/sandbox/find-sandbox.ts");
  const { findSandbox } = await import(bundle);
  const workspace = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const [file, ...args] = ARGV;
  const launches = new Map([["plain process", () => ({ file, args, cwd: workspace, env: ENV })]]);
  const lines = [];
  for (const kind of KINDS) {
    const { sandbox, failures } = await findSandbox(kind, { privateDirectories: [] });
    const command = { argv: ARGV, workspace, cwd: "", env: ENV };
    await sandbox?.prepareWorkspace(workspace);
    if (sandbox) launches.set(kind, () => sandbox.launch(command));
    else lines.push(...failures.map(({ reason }) => `${kind}: ${reason}`));
  }
  const times = new Map([...launches.keys()].map((name) => [name, []]));
  for (let run = -WARM_UP; run < RUNS; run++) {
    for (const [name, launch] of launches) {
      const ms = await measureProcess(launch());
      if (run >= 0) times.get(name).push(ms);
    }
  }
  await rm(workspace, { recursive: true });
  const median = (name) => getMedian(times.get(name));
  const plain = median("plain process");
  for (const name of times.keys()) {
    const ms = median(name);
    lines.push(
      `${name}: ${ms.toFixed(1)} ms, ${(ms - plain).toFixed(1)} ms over the plain process`,
    );
  }
  return `A command that does nothing, by its sandbox (at most 50 ms over the plain process):\n${lines.join("\n")}`;
};

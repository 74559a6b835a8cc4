import { once } from "node:events";
import { expect, it } from "vitest";
import { findProcesses } from "@/test/exec-fixture";
import { readPerl, runPerl, startPerl } from "@/test/run-perl";
import holdCommand from "./hold-command.pl?raw";
import memoryGroup from "./memory-group.pl?raw";

const run = (...args: string[]) => runPerl({ files: [memoryGroup, holdCommand], args });

let count = 0;
/** A number of seconds that no other process of this machine sleeps. */
const uniqueSleep = (): string => `sleep ${970_000_000 + 100 * process.pid + count++}`;
/** Starts processes in several sessions, without their parents, their environment and the signals that can be ignored. */
const scatter = (sleep: string): string =>
  `trap '' HUP INT TERM QUIT; (env -i setsid ${sleep} &); (setsid sh -c '${sleep} & ${sleep} &'); ${sleep} &`;

it("ends as the command does", async () => {
  expect(await run("sh", "-c", "echo text; exit 3")).toMatchObject({
    exitCode: 3,
    stdout: "text\n",
  });
  for (const signal of ["TERM", "KILL", "HUP", "SEGV"]) {
    expect(await run("sh", "-c", `kill -${signal} $$`)).toMatchObject({ signal: `SIG${signal}` });
  }
  const { stderr, exitCode } = await run("/none");
  expect(stderr).toBe("/none: No such file or directory\n");
  expect(exitCode).not.toBe(0);
});

it("ends all that the command leaves", async () => {
  const sleep = uniqueSleep();
  const script = `${scatter(sleep)} until [ $(pgrep -cfx '${sleep}') = 4 ]; do :; done`;
  expect(await run("sh", "-c", script)).toMatchObject({ exitCode: 0 });
  expect(findProcesses(sleep)).toEqual([]);
});

it("ends all when the server does, which the kernel tells by a signal", async () => {
  const sleep = uniqueSleep();
  const args = ["sh", "-c", `${scatter(sleep)} echo begun; ${sleep}`];
  const child = startPerl({ files: [memoryGroup, holdCommand], args });
  const ended = readPerl(child);
  if (child.stdout) await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ exitCode: 1 });
  expect(findProcesses(sleep)).toEqual([]);
});

it("starts nothing for a server that has ended", async () => {
  const server = process.ppid;
  const { stdout, exitCode } = await runPerl({
    files: [memoryGroup, holdCommand],
    settings: { server },
    args: ["echo", "text"],
  });
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
});

it("leaves the input to the command, and signals of its own group to its group", async () => {
  const child = startPerl({
    files: [memoryGroup, holdCommand],
    args: ["sh", "-c", "exec <&-; trap '' TERM; kill -TERM 0; echo on; sleep 0.1"],
    stdio: ["pipe", "pipe", "pipe"],
  });
  const closed = child.stdin && once(child.stdin, "close");
  expect(await readPerl(child)).toMatchObject({ exitCode: 0, stdout: "on\n" });
  await closed;
});

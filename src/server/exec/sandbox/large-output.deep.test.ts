import { once } from "node:events";
import { expect, it } from "vitest";
import { copyRunnerProgram, sandboxRows, startRunner } from "@/test/sandbox-runner";

const MEGABYTE = 1024 * 1024;
const TIMEOUT_MS = 240_000;

it("a command writes 2 GB through the server without filling its memory", async () => {
  // Once is enough: what the server reads does not depend on how it came.
  const [row] = sandboxRows;
  if (!row) throw new Error("there is no sandbox to test");
  const program = await copyRunnerProgram();
  const command = [...row.launcher, ...program.command, row.kind];
  const runner = await startRunner(command, program.directory);
  const run = (script: string) => runner.run({ script, timeoutMs: TIMEOUT_MS });
  // What the server reads for the first time takes memory once.
  const first = await run("head -c 1G /dev/zero");
  const { bytes, memoryPeak } = await run("yes | head -c 2G");
  expect(bytes).toBe(2 * 1024 * MEGABYTE);
  expect(memoryPeak - first.memoryPeak).toBeLessThan(50 * MEGABYTE);
  runner.process.disconnect();
  await once(runner.process, "exit");
  await program.remove();
});

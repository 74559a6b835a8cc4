import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { startLimitedThread, type ThreadFailure, type ThreadLimits } from "./limited-thread";
import type { TerminalReply, TerminalRequest } from "./terminal-messages";

const LIMITS: ThreadLimits = { cpuMs: 30_000, heapMb: 96, externalBytes: 96 * 1024 * 1024 };
const SIZE = { columns: 80, rows: 24 };

const start = async (limits: Partial<ThreadLimits> = {}) => {
  const failures: ThreadFailure[] = [];
  const thread = startLimitedThread<TerminalRequest, TerminalReply>({
    program: "terminal-thread",
    limits: { ...LIMITS, ...limits },
    onFailure: (failure) => failures.push(failure),
  });
  expect(await thread.ask({ type: "open", size: SIZE })).toBeDefined();
  const draw = (text: string) => thread.ask({ type: "draw", bytes: Buffer.from(text) });
  return { draw, end: thread.end, failures };
};

/** Takes seconds, as each size has all lines arranged anew. */
const SLOW = "\u001B[8;200;500t\u001B[8;5;20t".repeat(2_000);

it("threads take turns, whatever one is asked for", async () => {
  const [busy, other] = await Promise.all([start(), start()]);
  let drawn = 0;
  const draws = Array.from({ length: 200 }, async () => {
    await busy.draw("tide\r\n".repeat(2_000));
    drawn += 1;
  });
  await other.draw("here");
  expect(drawn).toBeLessThan(50);
  await Promise.all(draws);
  expect([busy.failures, other.failures]).toEqual([[], []]);
  [busy, other].forEach(({ end }) => end());
});

it("threads that end give their turns to others, and reply to what was asked", async () => {
  const threads = await Promise.all(Array.from({ length: availableParallelism() }, () => start()));
  const other = await start();
  const slow = threads.flatMap(({ draw }) => [draw(SLOW), draw("x")]);
  const here = other.draw("here");
  threads.forEach(({ end }) => end());
  expect(await here).toBeDefined();
  expect(await Promise.all(slow)).toEqual(slow.map(() => undefined));
  other.end();
});

it("ends a thread whose buffers stay too large", async () => {
  const { draw, failures } = await start({ externalBytes: 256 * 1024 });
  expect(await draw(SLOW.repeat(10))).toBeUndefined();
  expect(failures).toEqual(["memory"]);
});

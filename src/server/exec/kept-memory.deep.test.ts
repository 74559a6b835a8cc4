import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { collectGarbage } from "@/test/cpu-time";
import { createExecFixture, type ExecFixture } from "@/test/exec-fixture";

/** Of each kind. */
const ACTIONS = 2_000;
/** Before the first measurement: what a process makes once. */
const WARM_UP = 100;
const AT_ONCE = 8;
/** What an action may leave behind, in bytes: that a session is known takes some. */
const MAX_KEPT_BYTES = 32 * 1024;

let fixture: ExecFixture;
beforeAll(async () => {
  fixture = await createExecFixture();
});
afterAll(() => fixture.sessions.endAll());

const measureMemory = async (): Promise<number> => {
  // What has ended closes its handles before it is collected.
  await sleep(500);
  collectGarbage();
  await sleep(100);
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Repeats an action. @returns what each has left behind, in bytes. */
const measureKept = async (action: () => Promise<void>): Promise<number> => {
  const repeat = async (times: number): Promise<void> => {
    let left = times;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await action();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  await repeat(WARM_UP);
  const before = await measureMemory();
  await repeat(ACTIONS);
  return ((await measureMemory()) - before) / ACTIONS;
};

const runForeground = (pty: boolean) => async (): Promise<void> => {
  await fixture.exec({ action: "run", command: "seq 100", pty });
};

const runBackground = (pty: boolean) => async (): Promise<void> => {
  const chatId = uuidv7();
  const args = { action: "run", command: "seq 100", pty, background: true };
  const { session_id = "" } = await fixture.exec(args, { chatId });
  await fixture.sessions.list(chatId)[0]?.command.ended;
  await fixture.exec({ action: "read", session_id }, { chatId });
};

it.each([
  ["in the foreground", runForeground(false)],
  ["in the foreground, with a terminal", runForeground(true)],
  ["in the background", runBackground(false)],
  ["in the background, with a terminal", runBackground(true)],
])("a command keeps next to nothing when it has ended: %s", async (_what, action) => {
  const kept = await measureKept(action);
  process.stdout.write(`${(kept / 1024).toFixed(1)} KB kept by each\n`);
  expect(kept).toBeLessThan(MAX_KEPT_BYTES);
});

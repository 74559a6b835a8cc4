import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createExecFixture, type ExecFixture } from "@/test/exec-fixture";
import { measureKept } from "@/test/kept-memory";

const AT_ONCE = 8;
/** That a session is known takes some, and its chat may read its screen again. */
const MAX_KEPT_BYTES = 32 * 1024;

let fixture: ExecFixture;
beforeAll(async () => {
  fixture = await createExecFixture();
});
afterAll(() => fixture.sessions.endAll());

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
  expect(await measureKept(action, AT_ONCE)).toBeLessThan(MAX_KEPT_BYTES);
});

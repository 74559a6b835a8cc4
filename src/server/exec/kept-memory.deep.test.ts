import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createExecFixture, type ExecFixture } from "@/test/exec-fixture";
import { HANGING } from "@/test/hanging";
import { measureKept } from "@/test/kept-memory";
import { recordedDeps } from "@/test/tool-fixture";

const AT_ONCE = 8;
/** What Node keeps of processes for the next ones. */
const MAX_KEPT_BYTES = 4 * 1024;
/** That a session is known takes some, and its chat may read its screen again. */
const MAX_KNOWN_BYTES = 32 * 1024;

let fixture: ExecFixture;
beforeAll(async () => {
  fixture = await createExecFixture();
});
afterAll(() => fixture.sessions.endAll());

const runForeground = (command: string, pty: boolean) => async (): Promise<void> => {
  await fixture.exec({ action: "run", command, pty });
};

const runCancelled = async (): Promise<void> => {
  const recorded = recordedDeps();
  const args = { action: "run", command: "echo started; sleep 60" };
  const called = fixture.call(args, { recorded });
  await vi.waitFor(() => expect(recorded.ops).not.toEqual([]), HANGING);
  recorded.abort();
  await called;
};

/** @returns the chat. */
const runBackground = async (pty: boolean): Promise<string> => {
  const chatId = uuidv7();
  const args = { action: "run", command: "seq 100", pty, background: true };
  const { session_id = "" } = await fixture.exec(args, { chatId });
  await fixture.sessions.list(chatId)[0]?.command.ended;
  await fixture.exec({ action: "read", session_id }, { chatId });
  return chatId;
};

const runAndForget = (pty: boolean) => async (): Promise<void> =>
  fixture.sessions.endChat(await runBackground(pty));

const runAndKnow = (pty: boolean) => async (): Promise<void> => void (await runBackground(pty));

it.each([
  ["in the foreground", runForeground("seq 100", false)],
  ["in the foreground, with a terminal", runForeground("seq 100", true)],
  ["by a signal", runForeground("kill -9 $$", false)],
  ["as it is unknown", runForeground("exec /missing", false)],
  ["as its call is cancelled", runCancelled],
  ["in the background of a chat that has ended", runAndForget(false)],
  ["in the background of a chat that has ended, with a terminal", runAndForget(true)],
])("a command keeps nothing when it has ended: %s", async (_how, action) => {
  const kept = await measureKept(action, { atOnce: AT_ONCE });
  expect(kept.heapBytes + kept.bufferBytes).toBeLessThan(MAX_KEPT_BYTES);
  expect(kept.objects).toBeLessThan(1);
  expect(kept.descriptors).toBeLessThan(AT_ONCE);
});

it.each([
  ["", false],
  [", with a terminal", true],
])("a command in the background keeps what its chat may read%s", async (_, pty) => {
  const kept = await measureKept(runAndKnow(pty), { atOnce: AT_ONCE });
  expect(kept.heapBytes + kept.bufferBytes).toBeLessThan(MAX_KNOWN_BYTES);
  expect(kept.descriptors).toBeLessThan(AT_ONCE);
});

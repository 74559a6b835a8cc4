import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Database } from "@/server/db/connection/database";
import { readChatChanges } from "@/server/db/sql/reads/chat-reads";
import type { Viewer } from "@/server/db/chats/viewer";
import { toTextContent } from "@/test/chat-fixture";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { testDatabase } from "@/test/database";
import {
  textStep,
  toolCallParts,
  finishPart,
  textParts,
  reasoningParts,
} from "@/test/scripted-model";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { testProcess } from "@/test/test-process";
import { sendMessage } from "./send-message";
import { submitToolResults } from "./submit-tool-results";
import { updateChat } from "./update-chat";

const ask = { name: "ask", input_schema: { type: "object" } };
const failing = {
  throws: Object.assign(new Error("slow down"), { statusCode: 429, isRetryable: true }),
};
/** What the database stores in another form, or not at all. */
const ODD = "a\0b \uFDD0 \ud800 c";

let db: Database;
let unwatch = (): void => undefined;
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(() => unwatch());

const watched = async (setup: Parameters<typeof createTurnFixture>[0]): Promise<TurnFixture> => {
  const turn = await createTurnFixture(setup);
  unwatch = testProcess(db).recent.watch(turn.chatId);
  return turn;
};

/** What is remembered and what is read, of all that changed after a version. */
const bothSince = async ({ ctx, chatId }: TurnFixture, after: number) => {
  const viewer = ctx.actor;
  const read = await readChatChanges(db, { chatId, viewer, after });
  const atLeast = read?.chat.version ?? 0;
  const remembered = testProcess(db).recent.since(chatId, { viewer, after, atLeast });
  return { read, remembered, version: atLeast };
};

describe("the cache of own transitions", () => {
  it("equals a read: claim, retry, park, answer, claim, end", async () => {
    const turn = await watched({
      dynamicTools: [ask],
      steps: [
        failing,
        [
          ...reasoningParts("hm"),
          ...textParts(ODD),
          ...toolCallParts("a", "ask", { q: "a\0b", b: 1, a: [null] }),
          finishPart("tool-calls"),
        ],
        textStep("done"),
      ],
    });
    await turn.run();
    const parked = await bothSince(turn, 1);
    expect(parked.read?.openCalls).toHaveLength(1);
    expect(parked.remembered).toEqual(parked.read);

    expect(testProcess(db).recent.parked(turn.chatId, turn.ctx.actor)).toEqual({
      chat: parked.read?.chat,
      openCalls: parked.read?.openCalls,
    });
    expect(testProcess(db).recent.parked(turn.chatId, { userId: "another user" })).toBeUndefined();
    await submitToolResults(turn.ctx, {
      chatId: turn.chatId,
      results: [{ toolCallId: "a", output: { said: ODD }, isError: false }],
    });
    const answered = await bothSince(turn, parked.version);
    expect(answered.read?.messages).toHaveLength(1);
    expect(answered.remembered).toEqual(answered.read);

    await turn.run();
    const ended = await bothSince(turn, parked.version);
    expect(ended.read?.messages).toHaveLength(2);
    expect(ended.remembered).toEqual(ended.read);
    expect((await bothSince(turn, 1)).remembered).toEqual((await bothSince(turn, 1)).read);
  });

  it("equals a read: calls of the server with odd outcomes, and one that waits beside them", async () => {
    const odd = defineTool({
      name: "odd",
      description: "Returns what is stored in another form",
      input: z.object({}),
      run: () => Promise.resolve(toolResult(ODD)),
    });
    const call = (id: string) => toolCallParts(id, "odd", {});
    const turn = await watched({
      tools: [odd],
      dynamicTools: [ask],
      steps: [
        [...textParts(ODD), ...call("a"), ...call("b"), finishPart("tool-calls")],
        [...call("c"), ...toolCallParts("d", "ask", {}), finishPart("tool-calls")],
      ],
    });
    await turn.run();
    const parked = await bothSince(turn, 1);
    expect(parked.read).toMatchObject({ chat: { status: "requires_action" } });
    expect(parked.read?.openCalls).toHaveLength(1);
    expect(parked.read?.messages.map(({ parts }) => parts.at(-2))).toMatchObject([
      { toolCallId: "a", state: "completed" },
      { toolCallId: "c", state: "completed" },
    ]);
    expect(parked.remembered).toEqual(parked.read);
  });

  it("never refuses results: a refusal is decided by a read", async () => {
    const turn = await watched({
      dynamicTools: [ask],
      steps: [[...toolCallParts("a", "ask", {}), finishPart("tool-calls")]],
    });
    await turn.run();
    const { ctx, chatId } = turn;
    const submit = (toolCallId: string) =>
      submitToolResults(ctx, { chatId, results: [{ toolCallId, output: 1, isError: false }] });
    await expect(submit("b")).rejects.toMatchObject({ code: "invalid" });

    // A verb's transition is not cached, so the cached chat is outdated now.
    await updateChat(ctx, { chatId, title: "Renamed" });
    expect(testProcess(db).recent.parked(chatId, ctx.actor)?.chat.title).not.toBe("Renamed");
    await submit("a");
    expect(await turn.chat()).toMatchObject({ status: "pending", title: "Renamed" });
    await expect(submit("a")).rejects.toMatchObject({ code: "conflict" });
  });

  it("has no answer after an uncached transition, with a queued message, or when more was announced", async () => {
    const turn = await watched({ steps: [textStep("one")] });
    const { chatId, ctx } = turn;
    const viewer = ctx.actor;
    await turn.run();
    const { version } = await turn.chat();
    const recent = testProcess(db).recent;
    const since = (changes: { viewer?: Viewer; after?: number; atLeast?: number } = {}) =>
      recent.since(chatId, { viewer, after: 1, atLeast: version, ...changes });
    expect(since()?.chat.version).toBe(version);
    expect(since({ atLeast: version + 1 })).toBeUndefined();
    expect(since({ after: 0 })).toBeUndefined();
    expect(since({ after: version })).toBeUndefined();
    expect(since({ viewer: { userId: "another user" } })).toBeUndefined();
    expect(since({ atLeast: Infinity })).toBeUndefined();

    await updateChat(ctx, { chatId, title: "Renamed" });
    expect((await bothSince(turn, 1)).remembered).toBeUndefined();

    await sendMessage(ctx, { chatId, content: toTextContent("two"), busyBehavior: "queue" });
    await sendMessage(ctx, { chatId, content: toTextContent("waits"), busyBehavior: "queue" });
    const queued = await turn.claim();
    expect(queued.queuedCount).toBe(1);
    expect((await bothSince(turn, queued.version - 1)).remembered).toBeUndefined();
  });

  it("has no answer for a chat without watchers, or after the last watcher has gone", async () => {
    const turn = await createTurnFixture({ steps: [textStep("one")] });
    await turn.run();
    expect((await bothSince(turn, 1)).remembered).toBeUndefined();
    const again = await watched({ steps: [textStep("one")] });
    await again.run();
    expect((await bothSince(again, 1)).remembered).toBeDefined();
    unwatch();
    expect((await bothSince(again, 1)).remembered).toBeUndefined();
    unwatch = () => undefined;
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { createRecentHistories } from "@/server/db/chats/recent-histories";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { toTextContent } from "@/test/chat-fixture";
import { toHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { textStep, toolCallParts, finishPart, type ScriptedStep } from "@/test/scripted-model";
import { type TurnFixture, createTurnFixture } from "@/test/turn-fixture";
import { editMessage } from "@/server/chat/edit-message";
import { sendMessage } from "@/server/chat/send-message";
import { testProcess } from "@/test/test-process";

beforeAll(() => testDatabase());

/** What the model was asked last, as text. */
const lastPrompt = ({ model }: TurnFixture): string =>
  JSON.stringify(model.requests.at(-1)?.prompt.filter(({ role }) => role !== "system"));

const say = async (turn: TurnFixture, text: string): Promise<void> => {
  const content = toTextContent(text);
  await sendMessage(turn.ctx, { chatId: turn.chatId, content, busyBehavior: "reject" });
  await turn.run();
};

/** A chat of six turns, longer than what comes with a claim. */
const longChat = async (...then: ScriptedStep[]): Promise<TurnFixture> => {
  const turn = await createTurnFixture({
    steps: [...Array<ScriptedStep>(6).fill(textStep("a")), ...then],
  });
  await turn.run();
  for (let n = 1; n < 6; n++) await say(turn, `q${n}`);
  return turn;
};

describe("the history of a long chat", () => {
  it("is kept from turn to turn, as it would be read", async () => {
    const turn = await longChat();
    const { db } = turn.ctx;
    const known = testProcess(db).histories.get(turn.chatId);
    expect(known?.version).toBe((await turn.chat()).version);
    expect(known?.history).toHaveLength(12);
    expect(toHistory(known?.history ?? [])).toEqual(await readHistory(db, turn.chatId));
  });

  it("has what was changed since: a message was edited, and all behind it went", async () => {
    const turn = await longChat(textStep("a"), textStep("a"));
    const messageId = (await turn.history())[6]?.id ?? "";
    const content = toTextContent("another question");
    await editMessage(turn.ctx, { chatId: turn.chatId, messageId, content });
    await turn.run();
    await say(turn, "the next");
    const prompt = lastPrompt(turn);
    for (const text of ["q1", "q2", "another question", "the next"]) expect(prompt).toContain(text);
    for (const text of ["q3", "q4", "q5"]) expect(prompt).not.toContain(text);
  });

  it("has the outcomes of the calls that were committed with it", async () => {
    const turn = await longChat(
      [...toolCallParts("c", "list_directory", {}), finishPart("tool-calls")],
      textStep("nothing there"),
      textStep("still nothing"),
    );
    await say(turn, "what is there");
    await say(turn, "and now");
    expect(lastPrompt(turn)).toContain("The directory is empty.");
    expect(lastPrompt(turn)).toContain("nothing there");
  });
});

describe("kept histories", () => {
  const history = (length: number): HistoryMessage[] =>
    Array.from({ length }, (_, n) => ({
      id: String(n),
      role: "user",
      turnId: "turn",
      parts: [],
      model: null,
      seq: 1,
      usage: null,
      createdBy: null,
    }));

  it("are those of the long chats that were in use last", async () => {
    const cache = createRecentHistories(await testDatabase());
    const known = history(20);
    for (let n = 0; n < 20; n++) {
      cache.add({ id: `chat-${n}`, version: 1 }, known, 100);
      cache.add({ id: "busy", version: 1 }, known, 100);
    }
    expect(cache.get("chat-19")).toEqual({ version: 1, history: known });
    expect(cache.get("busy")).toEqual({ version: 1, history: known });
    expect(cache.get("chat-0")).toBeUndefined();
  });

  it("are neither short nor huge, and forget what has become so", async () => {
    const cache = createRecentHistories(await testDatabase());
    cache.add({ id: "short", version: 1 }, history(3), 100);
    cache.add({ id: "huge", version: 1 }, history(20), 100);
    cache.add({ id: "huge", version: 2 }, history(22), 5 * 1024 * 1024);
    expect(cache.get("short")).toBeUndefined();
    expect(cache.get("huge")).toBeUndefined();
  });
});

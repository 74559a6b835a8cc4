import { beforeAll, describe, expect, it } from "vitest";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { createRecentHistories, recentHistories } from "@/server/db/chats/recent-histories";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { toTextContent } from "@/test/chat-fixture";
import { toHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { textStep, toolCallParts, finishPart, type ScriptedStep } from "@/test/scripted-model";
import { type TurnFixture, createTurnFixture } from "@/test/turn-fixture";
import { editMessage } from "@/server/chat/edit-message";
import { sendMessage } from "@/server/chat/send-message";

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
    const known = recentHistories(db).get(turn.chatId);
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
      createdBy: null,
    }));

  it("are those of the long chats that were in use last", () => {
    const cache = createRecentHistories();
    const known = { version: 1, history: history(20) };
    for (let n = 0; n < 20; n++) {
      cache.set(`chat-${n}`, known, 100);
      cache.set("busy", known, 100);
    }
    expect(cache.get("chat-19")).toBe(known);
    expect(cache.get("busy")).toBe(known);
    expect(cache.get("chat-0")).toBeUndefined();
  });

  it("are neither short nor huge, and forget what has become so", () => {
    const cache = createRecentHistories();
    cache.set("short", { version: 1, history: history(3) }, 100);
    cache.set("huge", { version: 1, history: history(20) }, 100);
    cache.set("huge", { version: 2, history: history(22) }, 5 * 1024 * 1024);
    expect(cache.get("short")).toBeUndefined();
    expect(cache.get("huge")).toBeUndefined();
  });
});

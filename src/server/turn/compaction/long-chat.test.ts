import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { sendMessage } from "@/server/chat/send-message";
import type { Database } from "@/server/db/connection/database";
import { findSummary } from "@/server/machine/model-history";
import type { ChatModel } from "@/server/model/model-step";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import { measurePrompt } from "@/server/turn/prompt/measure-prompt";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { findPromptProblems } from "@/test/prompt-problems";
import {
  finishPart,
  type ScriptedParts,
  type ScriptedStep,
  textParts,
  toolCallParts,
} from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const OLD_MESSAGES = 2_000;
const TURNS = 200;
/** Of the model, in tokens; the built-in tools take about half of it. */
const LIMIT = 20_000;

/** Writes questions and answers before a chat's first turn, past the state machine. */
const writeOldMessages = async (chatId: string): Promise<void> => {
  await db.prisma.message.updateMany({
    where: { chatId },
    data: { seq: { increment: OLD_MESSAGES } },
  });
  await db.query(
    {
      name: "test-write-old-messages",
      text: `WITH counted AS (UPDATE chat SET last_seq = last_seq + ${OLD_MESSAGES} WHERE id = $1::uuid),
        m AS (INSERT INTO message (id, chat_id, turn_id, seq, role, revision)
          SELECT gen_random_uuid(), $1::uuid, $1::uuid, n,
            (CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END)::message_role, 1
          FROM generate_series(1, ${OLD_MESSAGES}) AS n RETURNING id, seq)
        INSERT INTO part (message_id, index, type, text)
        SELECT id, 0, 'text', 'old message ' || seq || repeat(' of many', 10) FROM m`,
    },
    [chatId],
  );
};

const read = defineTool({
  name: "read_note",
  description: "Reads a note.",
  input: z.object({}),
  run: () => Promise.resolve(toolResult("a line of the note ".repeat(100))),
});

/** Sums up, or calls a tool and then answers, and counts its tokens as the providers do. */
const answer: ScriptedStep = ({ prompt, tools = [] }: LanguageModelV4CallOptions) => {
  const bytes = measurePrompt(prompt).bytes + JSON.stringify(tools).length;
  const tokens = { input: Math.ceil(bytes / 4), output: 100 };
  if (tools.length === 0) return [...textParts("what was said so far"), finishPart("stop", tokens)];
  if (prompt.at(-1)?.role === "tool") {
    return [...textParts("an answer ".repeat(40)), finishPart("stop", tokens)];
  }
  const call: ScriptedParts = toolCallParts(`call_${bytes}`, "read_note", {});
  return [...call, finishPart("tool-calls", tokens)];
};

it("a chat of 2,000 messages goes on for 200 turns", { timeout: 300_000 }, async () => {
  const turn = await createTurnFixture({
    content: toTextContent("question 0"),
    tools: [read],
    steps: Array.from({ length: TURNS * 4 }, () => answer),
  });
  await writeOldMessages(turn.chatId);
  const model: ChatModel = {
    provider: "demo",
    model: "scripted",
    label: "demo/scripted",
    contextLimit: LIMIT,
    prices: null,
    client: turn.model,
  };
  const run = () => turn.run({ resolveModel: () => Promise.resolve(model) });
  await run();
  for (let number = 1; number < TURNS; number++) {
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent(`question ${number}`),
      busyBehavior: "queue",
    });
    await run();
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  }
  const history = await turn.history();
  const boundaries = history.filter((message) => findSummary(message));
  expect(boundaries.length).toBeGreaterThanOrEqual(10);
  // A question, a call and an answer in each turn.
  expect(history).toHaveLength(OLD_MESSAGES + TURNS * 3 + boundaries.length);
  for (const { prompt, tools = [] } of turn.model.requests) {
    expect(findPromptProblems(prompt)).toEqual([]);
    const bytes = measurePrompt(prompt).bytes + JSON.stringify(tools).length;
    expect(bytes / 4).toBeLessThan(LIMIT);
  }
  const steps = turn.model.requests.filter(({ tools = [] }) => tools.length > 0);
  expect(steps).toHaveLength(TURNS * 2);
  steps.forEach(({ prompt }, index) =>
    expect(JSON.stringify(prompt)).toContain(`question ${Math.floor(index / 2)}`),
  );
});

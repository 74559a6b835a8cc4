import { expect, it } from "vitest";
import * as z from "zod";
import type { Credential } from "@/server/context";
import { defineTool } from "@/server/tools/tool";
import type { ToolContext } from "@/server/tools/tool-context";
import { toolResult } from "@/server/tools/tool-result";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { finishPart, textStep, toolCallParts } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";

const callIn = async (credential: Credential) => {
  const seen: ToolContext[] = [];
  const tool = defineTool({
    name: "look",
    description: "Looks",
    input: z.object({}),
    run: (context) => {
      seen.push(context);
      return Promise.resolve(toolResult("seen"));
    },
  });
  const ctx = await createTestContext(await testDatabase());
  const turn = await createTurnFixture({
    ctx: { ...ctx, actor: { ...ctx.actor, credential } },
    labels: { team: "red" },
    tools: [tool],
    steps: [[...toolCallParts("call_1", "look", {}), finishPart("tool-calls")], textStep("Done.")],
  });
  await turn.run();
  const [context] = seen;
  if (!context) throw new Error("the tool did not run");
  return { context, turn, userId: ctx.actor.userId };
};

it("a call of a person's turn knows the chat, the message and the person", async () => {
  const { context, turn, userId } = await callIn({ type: "session", id: "s" });
  const [question, answer] = await turn.history();
  expect(context).toMatchObject({
    chatId: turn.chatId,
    rootChatId: turn.chatId,
    userId,
    agentLevel: "root",
    labels: { team: "red" },
    actor: userId,
    channel: "web",
    turnId: answer?.turnId,
    messageId: answer?.id,
    replyToMessageId: question?.id,
  });
  expect(() => Object.assign(context.labels, { team: "blue" })).toThrow(TypeError);
});

it("a call of a program's turn knows its key", async () => {
  const key: Credential = {
    type: "api_key",
    id: "k1",
    scopes: ["chat"],
    only: null,
    expiresAt: null,
  };
  const { context, userId } = await callIn(key);
  expect(context).toMatchObject({ userId, actor: "api_key:k1", channel: "api" });
});

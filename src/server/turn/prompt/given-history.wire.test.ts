import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HistoryMessages } from "@/contract/history";
import type { ServerContext } from "@/server/context";
import { sendMessage } from "@/server/chat/send-message";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createTurnFixture } from "@/test/turn-fixture";
import { findWireProblems } from "@/test/wire-messages";
import { createWireModel, WIRE_PROVIDERS } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";

let ctx: ServerContext;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
});

const THOUGHT = "I ponder the tides.";
const call = (tool_call_id: string, fields: object) => ({
  type: "tool_call",
  tool_call_id,
  tool_name: "look_up",
  output: null,
  ...fields,
});

/** All that a history may have, with a message of the user at its end. */
const MESSAGES = HistoryMessages.parse([
  { role: "system", content: "Answer in one word." },
  { role: "system", content: "Be polite." },
  { role: "user", content: "When is high water?" },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: THOUGHT },
      { type: "text", text: "Let me see." },
      call("call.1", { args: { port: "Oban" }, output: { at: "11:04" } }),
      call("call/1", { output: "no such port", state: "error" }),
    ],
  },
  { role: "assistant", content: [call("third", { state: "denied", output: "" })] },
  { role: "assistant", content: [{ type: "reasoning", text: THOUGHT }] },
  {
    role: "user",
    content: [
      { type: "text", text: "Well?" },
      { type: "text", text: "So?" },
    ],
  },
  { role: "user", content: "Are you there?" },
  { role: "assistant", content: "11:04." },
  { role: "user", content: "Thank you." },
]);

describe.each(WIRE_PROVIDERS)("%s takes a history that was given", (provider) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
    recorder.mock.on({ predicate: () => true }, { content: "You are welcome." });
  });
  afterAll(() => recorder.close());
  const resolveModel = () => Promise.resolve(createWireModel(provider, recorder.url));

  it("with a last message of the user, and with one that is sent to it", async () => {
    const turn = await createTurnFixture({ steps: [], ctx, messages: MESSAGES });
    await turn.run({ resolveModel });
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });

    const resting = await createTurnFixture({ steps: [], ctx, messages: MESSAGES.slice(0, -1) });
    await sendMessage(ctx, {
      chatId: resting.chatId,
      content: toTextContent("Thank you."),
      busyBehavior: "queue",
    });
    await resting.run({ resolveModel });
    expect(await resting.chat()).toMatchObject({ status: "waiting", lastError: null });

    const [given, sent] = recorder.bodies();
    expect(findWireProblems(provider, given)).toEqual([]);
    expect(sent).toEqual(given);
    const text = JSON.stringify(given);
    for (const part of ["Answer in one word.", "Be polite.", "11:04", "no such port"]) {
      expect(text).toContain(part);
    }
    // No provider has signed it.
    expect(text).not.toContain(THOUGHT);
    expect(text).not.toMatch(/"(signature|thoughtSignature|encrypted_content)":"/);
  });
});

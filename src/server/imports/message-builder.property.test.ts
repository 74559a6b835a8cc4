import fc from "fast-check";
import { expect, it } from "vitest";
import type { ExportedMessage } from "@/contract/exported-chat";
import { HistoryMessages } from "@/contract/history";
import { createMessageBuilder, type MessageBuilder } from "./message-builder";

const text = fc.constantFrom("a", "b", " ", "");
const id = fc.constantFrom("1", "2", "3");
const FIELDS = { created_at: "2026-11-28T10:00:00.000Z", model: "gpt-5" };

/** What any program may have in any order. */
const step: fc.Arbitrary<(builder: MessageBuilder) => void> = fc.oneof(
  text.map((one) => (builder: MessageBuilder) => builder.addInstructions(one, undefined)),
  fc.array(text, { maxLength: 2 }).map(
    (texts) => (builder: MessageBuilder) =>
      builder.addQuestion(
        texts
          .filter((one) => one.trim() !== "")
          .map((one) => ({ type: "text" as const, text: one })),
        undefined,
      ),
  ),
  text.map(
    (one) => (builder: MessageBuilder) => builder.addPart({ type: "text", text: one }, FIELDS),
  ),
  text.map(
    (one) => (builder: MessageBuilder) => builder.addPart({ type: "reasoning", text: one }, FIELDS),
  ),
  id.map(
    (one) => (builder: MessageBuilder) =>
      builder.addCall({ id: one, name: `web.run ${one}`, args: { q: one } }, FIELDS),
  ),
  id.map(
    (one) => (builder: MessageBuilder) =>
      builder.addOutcome({ id: one, name: "web.run 1", output: one, isError: false }, FIELDS),
  ),
);

/** A message as `POST /chats` takes it. The ids of calls differ once they are stored. */
const toHistoryMessage = (message: ExportedMessage, place: number): object => {
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  const parts = message.content as Extract<ExportedMessage["content"], object>;
  const content = parts.map((part, index) =>
    part.type === "tool_call" ? { ...part, tool_call_id: `${place} ${index}` } : part,
  );
  return { role: message.role, content };
};

it("what other programs have in any order is a history that every provider takes", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const builder = createMessageBuilder();
      for (const run of steps) run(builder);
      const messages = builder.build();
      if (messages.every(({ role }) => role === "system")) return;
      const parsed = HistoryMessages.safeParse(messages.map(toHistoryMessage));
      expect(parsed.error).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

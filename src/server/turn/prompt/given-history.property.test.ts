import fc from "fast-check";
import { v7 as newId } from "uuid";
import { expect, it } from "vitest";
import { HistoryMessages } from "@/contract/history";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { buildPrompt, listSystemTexts } from "./build-prompt";
import { findPromptProblems } from "@/test/prompt-problems";
import { toHistoryRows } from "@/server/chat/history-rows";

const text = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }).map((word) => `a${word}`);
const json = fc.jsonValue({ maxDepth: 2 });

const call = fc.record({
  type: fc.constant("tool_call"),
  /** Made unique below. */
  tool_call_id: fc.constantFrom("a", "a.b", "a/b", "x".repeat(80)),
  tool_name: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  args: fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 3 }),
  output: json,
  state: fc.constantFrom("completed", "error", "cancelled", "timed_out", "denied"),
});
const words = (type: string) => fc.record({ type: fc.constant(type), text });
const content = fc.array(fc.oneof(words("text"), words("reasoning"), call), {
  minLength: 1,
  maxLength: 5,
});

type Given = { role: string; content: unknown };

const listParts = ({ content }: Given): { tool_call_id?: string }[] =>
  Array.isArray(content) ? (content as { tool_call_id?: string }[]) : [];

/** Any messages; those that cannot stand where they are are left out. */
const history = fc
  .array(
    fc.oneof(
      fc.record({ role: fc.constant("system"), content: text }),
      fc.record({
        role: fc.constant("user"),
        content: fc.oneof(text, fc.array(words("text"), { minLength: 1, maxLength: 3 })),
      }),
      fc.record({ role: fc.constant("assistant"), content: fc.oneof(text, content) }),
    ),
    { maxLength: 12 },
  )
  .map((messages) => {
    let number = 0;
    const valid: Given[] = [];
    for (const message of JSON.parse(JSON.stringify(messages)) as Given[]) {
      for (const part of listParts(message)) {
        if (part.tool_call_id !== undefined) part.tool_call_id += `${number++}`;
      }
      if (HistoryMessages.safeParse([...valid, message, { role: "user", content: "?" }]).success) {
        valid.push(message);
      }
    }
    return HistoryMessages.parse([...valid, { role: "user", content: "?" }]);
  });

const NEVER_WAITED = { deadlineAt: null, resolvedClaim: null, definition: null };

it("any history that is accepted becomes a prompt that every provider accepts", () => {
  fc.assert(
    fc.property(history, (messages) => {
      const rows = toHistoryRows(messages, { files: new Map(), by: "user", newId });
      const read = rows.map(({ id, role, turnId, parts, createdBy }, index): HistoryMessage => ({
        id,
        seq: index + 1,
        role,
        turnId,
        createdBy,
        model: null,
        usage: null,
        parts: parts.map((part) =>
          part.type === "reasoning" || part.type === "tool_call"
            ? { ...part, ...NEVER_WAITED, startedAt: new Date(0), completedAt: new Date(0) }
            : part,
        ),
      }));
      const prompt = buildPrompt({ system: listSystemTexts(read), history: read, model: "a/b" });
      expect(findPromptProblems(prompt)).toEqual([]);
      const calls = messages.flatMap((message) =>
        message.role === "assistant"
          ? message.content.flatMap((part) => (part.type === "tool_call" ? part.tool_name : []))
          : [],
      );
      const sent = prompt.flatMap((message) =>
        message.role === "assistant"
          ? message.content.flatMap((part) => (part.type === "tool-call" ? part.toolName : []))
          : [],
      );
      expect(sent).toEqual(calls);
    }),
  );
});

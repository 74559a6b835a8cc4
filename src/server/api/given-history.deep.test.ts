import { expect, it } from "vitest";
import { MAX_HISTORY_BODY_BYTES, MAX_HISTORY_MESSAGES, MAX_HISTORY_PARTS } from "@/contract/limits";
import { createApiFixture } from "@/test/api-client";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { measureMedian } from "@/test/cpu-time";

const { client } = await createApiFixture();

const TEXT = "When the tide is high at Oban, the ferry may be late. ";
const LONG = TEXT.repeat(
  Math.floor(MAX_HISTORY_BODY_BYTES / MAX_HISTORY_MESSAGES / TEXT.length) - 2,
);

const pair = (question: unknown, answer: unknown) => [
  { role: "user", content: question },
  { role: "assistant", content: answer },
];
const repeat = (messages: unknown[]) =>
  Array.from({ length: MAX_HISTORY_MESSAGES / messages.length }, () => messages).flat();

const part = { type: "text", text: "a" };
const PARTS = Array.from({ length: MAX_HISTORY_PARTS / MAX_HISTORY_MESSAGES }, () => part);
const OUTPUTS = Array.from({ length: 1_000 }, (_, index) => [
  { role: "user", content: "Look it up." },
  {
    role: "assistant",
    content: [
      {
        type: "tool_call",
        tool_call_id: `call_${index}`,
        tool_name: "look_up",
        output: {
          rows: Array.from({ length: 60 }, (_, row) => ({ row, at: "11:04", port: "Oban" })),
        },
      },
    ],
  },
]).flat();

/** The largest bodies of several kinds. */
it.each<[what: string, messages: unknown[]]>([
  ["long texts", repeat(pair(LONG, LONG))],
  ["many parts", repeat(pair(PARTS, PARTS))],
  ["large outputs", OUTPUTS],
])("a history of %s does not hold up other requests", async (what, messages) => {
  const body = JSON.stringify({ messages });
  expect(body.length).toBeLessThan(MAX_HISTORY_BODY_BYTES);
  const create = async () => {
    expect((await client.call("POST /chats", body)).status).toBe(201);
  };
  await create();
  const blocking = await measureMedian(`a history of ${what}`, () => measureBlocking(create));
  expect(blocking).toBeLessThan(MAX_BLOCKING);
});

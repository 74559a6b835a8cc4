import { expect, it } from "vitest";
import { v7 as newId } from "uuid";
import type { Artifact } from "@/contract/part";
import { toFileUrl } from "@/lib/file-url";
import { createApiFixture, createClient } from "@/test/api-client";
import { importArchive } from "@/test/import-fixture";
import { convert } from "./convert";
import { toChatRows } from "./to-rows";

/** Time that grows with the square of it would be hours. */
const MANY = 400_000;

const toChats = (value: unknown) => {
  const converted = convert(value);
  if (!("chats" in converted)) throw new Error(converted.reason);
  return converted.chats;
};

const answer = (content: object[]) => ({
  uuid: newId(),
  name: "Many",
  chat_messages: [
    { uuid: "q", sender: "human", text: "Go" },
    { uuid: "a", sender: "assistant", content },
  ],
});

const ORIGIN = { modelId: null, forkedFromId: null };

it("reads calls that have one id, or no outcomes, once", () => {
  const call = { type: "tool_use", id: "one", name: "look", input: {} };
  const open = Array.from({ length: MANY }, (_each, index) => ({ ...call, id: `call_${index}` }));
  const outcome = { type: "tool_result", tool_use_id: "other", name: "see", content: "seen" };
  const [{ chat }] = toChats(answer([...open, ...Array<object>(MANY).fill(outcome)]));
  expect(chat.messages.at(-1)?.content).toHaveLength(1);

  const [same] = toChats(answer(Array<object>(MANY).fill(call)));
  const files = new Map<string, Artifact>();
  const { messages } = toChatRows(same.chat, { files, by: "me", newId, origin: ORIGIN });
  const ids = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool_call" ? part.toolCallId : [])),
  );
  expect(new Set(ids).size).toBe(MANY);
});

it("reads instructions, and marks of citations that do not end, once", () => {
  const message = (id: string, role: string, text: string) => ({
    id,
    author: { role },
    content: { content_type: "text", parts: [text] },
  });
  const nodes = Array.from({ length: MANY / 4 }, (_each, index) => [
    `s${index}`,
    {
      parent: index === 0 ? null : `s${index - 1}`,
      message: message(`s${index}`, "system", "Be brief."),
    },
  ]);
  const last = { parent: `s${MANY / 4 - 1}`, message: message("u", "user", "\uE200".repeat(MANY)) };
  const mapping = Object.fromEntries([...nodes, ["u", last]]) as object;
  const [{ chat }] = toChats({ id: "one", mapping });
  expect(chat.messages).toHaveLength(MANY / 4 + 1);
});

it("replaces the addresses of many files in one reading of a text", () => {
  const ids = Array.from({ length: 20_000 }, () => newId());
  const files = new Map(ids.map((id) => [id, { id: newId() } as Artifact]));
  const [{ chat }] = toChats(answer([{ type: "text", text: ids.map(toFileUrl).join("\n") }]));
  const { messages } = toChatRows(chat, { files, by: "me", newId, origin: ORIGIN });
  const [part] = messages[1]?.parts ?? [];
  expect(part).toMatchObject({
    text: ids.map((id) => toFileUrl(files.get(id)?.id ?? "")).join("\n"),
  });
});

it("repeats no long messages in branches", () => {
  const say = (uuid: string, parent: string, text: string) => ({
    uuid,
    parent_message_uuid: parent,
    sender: uuid === "q" ? "human" : "assistant",
    text,
  });
  const chats = toChats({
    uuid: "long",
    chat_messages: [
      say("q", "", "x".repeat(3_000_000)),
      ...Array.from({ length: 40 }, (_each, index) => say(`a${index}`, "q", `Answer ${index}`)),
    ],
  });
  expect(chats).toHaveLength(3);
});

it("imports the others when one has characters that no text of the database may have", async () => {
  const { db, api } = await createApiFixture();
  const client = await createClient(db, api);
  const talk = (uuid: string, chat_messages: object[]) => ({
    uuid,
    name: `a\0${uuid}`,
    chat_messages,
  });
  const conversations = [
    talk("empty\0", []),
    talk("b\0\uD800", [{ sender: "human", text: "One\0two" }]),
    talk("x".repeat(100_000), [{ sender: "human", text: "Three" }]),
    talk("c", [{ sender: "human", text: "Four" }]),
  ];
  const result = await importArchive(db, client, Buffer.from(JSON.stringify(conversations)));
  expect(result).toMatchObject({ state: "completed", error: null });
  expect(result.chats + result.problems).toBe(4);
  expect(result.chats).toBeGreaterThanOrEqual(2);
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { EXPORT_FORMAT, ExportedChat, type ExportedMessage } from "@/contract/exported-chat";
import { createApiFixture, createClient } from "@/test/api-client";
import { createZip, importArchive } from "@/test/import-fixture";

const { db, api } = await createApiFixture();

const text = fc
  .oneof(fc.string({ unit: "grapheme", minLength: 1 }), fc.constant("a\0b \uFDD0 \\u0000 ```\n"))
  .filter((value) => value.trim() !== "" && value.isWellFormed());
const time = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as never);
const object = fc.dictionary(fc.string({ maxLength: 5 }), json, {
  maxKeys: 3,
  noNullPrototype: true,
});
const optional = <Value>(field: string, value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [field]: one }));

const call = fc
  .tuple(
    fc.record({
      tool_name: fc.constantFrom("exec", "tides", "web_search"),
      args: object,
      state: fc.constantFrom("completed", "error", "cancelled", "timed_out", "denied"),
      output: json,
    }),
    optional("approved_args", object),
    optional("for_user", text),
  )
  .map((fields) => Object.assign({ type: "tool_call" }, ...fields) as object);
const answerPart = fc.oneof(
  text.map((one) => ({ type: "text", text: one })),
  text.map((one) => ({ type: "reasoning", text: one })),
  fc.constant({ type: "source", url: "https://example.org/", title: "An example" }),
  call,
);

const answer = fc
  .tuple(
    fc.oneof(text, fc.array(answerPart, { minLength: 2, maxLength: 5 })),
    time,
    optional("model", fc.constantFrom("openai/gpt-5", "demo/demo")),
    optional("finish_reason", fc.constantFrom("stop", "length", "interrupted")),
    optional("interrupted", fc.constant(true)),
  )
  .map(
    ([content, created_at, ...fields]) =>
      Object.assign({ role: "assistant", content, created_at }, ...fields) as object,
  );
const question = fc
  .tuple(
    fc.oneof(
      text,
      fc.array(
        text.map((one) => ({ type: "text", text: one })),
        { minLength: 2, maxLength: 3 },
      ),
    ),
    time,
  )
  .map(([content, created_at]) => ({ role: "user", content, created_at }));
const report = fc.record({
  type: fc.constant("report"),
  tool_call_id: fc.constant("task"),
  kind: fc.constantFrom("agent", "command", "tool"),
  label: text,
  state: fc.constantFrom("completed", "failed", "unknown"),
  output: json,
});
const summary = fc.constant({
  type: "summary",
  reason: "requested",
  kept: [1],
  tokens_before: 100,
  tokens_after: 10,
});
const event = fc
  .tuple(
    fc.oneof(
      fc.tuple(report),
      fc.tuple(
        summary,
        text.map((one) => ({ type: "text", text: one })),
      ),
    ),
    time,
  )
  .map(([content, created_at]) => ({ role: "event", content, created_at }));

const document = fc
  .record({
    id: fc.uuid({ version: 7 }),
    title: text.map((one) => one.slice(0, 200).toWellFormed()).filter((one) => one.trim() !== ""),
    archived: fc.boolean(),
    pinned: fc.boolean(),
    labels: fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("", "x"), {
      noNullPrototype: true,
    }),
    system_prompt: fc.option(text),
    created_at: time,
    updated_at: time,
    turns: fc.array(fc.tuple(question, fc.array(fc.oneof(answer, event), { maxLength: 3 })), {
      minLength: 1,
      maxLength: 5,
    }),
  })
  .map(({ turns, ...fields }) => ({
    format: EXPORT_FORMAT,
    ...fields,
    files: [],
    forked_from: null,
    model: null,
    messages: numberCalls(
      turns.flatMap(([asked, answers]) => [asked, ...answers]) as ExportedMessage[],
    ),
  }));

/** Each call of a chat has an id of its own; a chat that ends after calls rests. */
const numberCalls = (messages: ExportedMessage[]): ExportedMessage[] => {
  let number = 0;
  return messages.map((message, index) => {
    if (message.role !== "assistant" || typeof message.content === "string") return message;
    const content = message.content.map((part) =>
      part.type === "tool_call" ? { ...part, tool_call_id: `call_${(number += 1)}` } : part,
    );
    const rests =
      index === messages.length - 1 && content.some(({ type }) => type === "tool_call")
        ? { finish_reason: "auto-submit-off" as const }
        : {};
    return { ...message, content, ...rests };
  });
};

/** What an import decides itself. */
const withoutIds = (chat: ExportedChat): object => ({ ...chat, id: "", model: "" });

/** JSON with its keys in one order, as `jsonb` does not keep theirs. */
const toSortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

it("a document that is imported is exported as it was, and so are all together", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(document, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
      async (documents) => {
        const person = await createClient(db, api);
        const result = await importArchive(
          db,
          person,
          await createZip({ "chats.json": JSON.stringify(documents) }),
        );
        expect(result).toMatchObject({
          state: "completed",
          source: "parley",
          chats: documents.length,
          report: [],
        });

        const zip = await api.api.handleRest(person.request("GET /export"));
        const other = await createClient(db, api);
        const again = await importArchive(db, other, Buffer.from(await zip.arrayBuffer()));
        expect(again).toMatchObject({ state: "completed", chats: documents.length, report: [] });

        for (const by of [person, other]) {
          const { body } = await by.call("GET /chats?archived=any&limit=200");
          const ids = (body as { data: { id: string }[] }).data.map(({ id }) => id);
          const found = [];
          for (const id of ids) {
            found.push(ExportedChat.parse((await by.call(`GET /chats/${id}/export`)).body));
          }
          const sort = (chats: ExportedChat[]) =>
            chats.map((chat) => toSortedJson(withoutIds(chat))).toSorted();
          expect(sort(found)).toEqual(sort(documents.map((one) => ExportedChat.parse(one))));
        }
      },
    ),
    { numRuns: 10 },
  );
}, 120_000);

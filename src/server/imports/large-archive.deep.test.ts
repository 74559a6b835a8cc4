import { expect, it } from "vitest";
import { ownedBy } from "@/server/db/chats/viewer";
import { createApiFixture, createClient } from "@/test/api-client";
import { collectGarbage, measureReferenceMs } from "@/test/cpu-time";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { createZip, importArchive } from "@/test/import-fixture";

const { db, api } = await createApiFixture();

const CONVERSATIONS = 5_000;
/** Per second where the reference work takes 10 ms. */
const MIN_PER_SECOND = 200;
const REFERENCE_MS = 10;
/** The documents have 65 MB, and would take more as objects. */
const MAX_GROWTH_BYTES = 20_000_000;

const toMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** 1 KB of words that differ from message to message. */
const toText = (index: number): string =>
  Array.from({ length: 160 }, (_each, place) => (index * 7_919 + place * 104_729) % 99_991)
    .join(" ")
    .slice(0, 1_024);

const AT = 1_764_324_000;

/** A conversation of ten messages. */
const toConversation = (number: number) => {
  const mapping: Record<string, object> = {
    root: { id: "root", parent: null, children: ["0"], message: null },
  };
  for (let index = 0; index < 10; index += 1) {
    mapping[index] = {
      id: String(index),
      parent: index === 0 ? "root" : String(index - 1),
      children: index === 9 ? [] : [String(index + 1)],
      message: {
        id: String(index),
        author: { role: index % 2 === 0 ? "user" : "assistant" },
        create_time: AT + index,
        content: { content_type: "text", parts: [toText(number * 10 + index)] },
        metadata: { model_slug: "gpt-5" },
        recipient: "all",
      },
    };
  }
  const id = `conversation ${number}`;
  return {
    id,
    conversation_id: id,
    title: id,
    create_time: AT,
    update_time: AT,
    mapping,
    current_node: "9",
  };
};

const createArchive = async (count: number): Promise<Buffer> => {
  const perDocument = count / 5;
  const documents = Array.from({ length: 5 }, (_each, document) => [
    `conversations-00${document}.json`,
    JSON.stringify(
      Array.from({ length: perDocument }, (_one, index) =>
        toConversation(document * perDocument + index),
      ),
    ),
  ]);
  return createZip(Object.fromEntries(documents) as Record<string, string>);
};

it("5,000 conversations are imported at 200 a second, in flat memory, and none twice", async () => {
  const client = await createClient(db, api);
  const archive = await createArchive(CONVERSATIONS);
  const referenceMs = await measureReferenceMs();
  collectGarbage();
  // Not that of the embedded database, which has the chats.
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const timer = setInterval(() => {
    collectGarbage();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }, 1_000);
  const startedAt = performance.now();
  const first = await importArchive(db, client, archive);
  const seconds = (performance.now() - startedAt) / 1_000;
  clearInterval(timer);
  const rate = (CONVERSATIONS / seconds) * (referenceMs / REFERENCE_MS);
  collectGarbage();
  const kept = process.memoryUsage().heapUsed - before;
  process.stdout.write(
    `5,000 conversations: ${seconds.toFixed(1)} s, ${rate.toFixed(0)} a second at the reference, ${toMegabytes(most)} MB at most, ${toMegabytes(kept)} MB kept\n`,
  );
  expect(first).toMatchObject({ chats: CONVERSATIONS, messages: 10 * CONVERSATIONS, report: [] });
  expect(rate).toBeGreaterThan(MIN_PER_SECOND);
  expect(most).toBeLessThan(MAX_GROWTH_BYTES);
  expect(kept).toBeLessThan(MAX_GROWTH_BYTES);
  expect(await importArchive(db, client, archive)).toMatchObject({
    chats: 0,
    known: CONVERSATIONS,
  });
  expect(await db.prisma.chat.count({ where: ownedBy(client) })).toBe(CONVERSATIONS);
}, 600_000);

it("an import does not hold up other requests", async () => {
  const client = await createClient(db, api);
  const archive = await createArchive(500);
  const blocking = await measureBlocking(() => importArchive(db, client, archive));
  process.stdout.write(`an import, blocking: ${blocking.toFixed(2)}\n`);
  expect(blocking).toBeLessThan(MAX_BLOCKING);
}, 600_000);

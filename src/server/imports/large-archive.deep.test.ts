import { expect, it } from "vitest";
import { ownedBy } from "@/server/db/chats/viewer";
import { createApiFixture, createClient } from "@/test/api-client";
import { collectGarbage, measureReferenceMs, readCpuMs } from "@/test/cpu-time";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { measureRequests, percentile } from "@/test/others-wait";
import { createZip, importArchive } from "@/test/import-fixture";

const { db, api } = await createApiFixture();

const CONVERSATIONS = 5_000;
/** Per second where the reference work takes 10 ms. */
const MIN_PER_SECOND = 200;
const REFERENCE_MS = 10;
/** The documents have 65 MB, and would take more as objects. */
const MAX_GROWTH_BYTES = 20_000_000;

/** Of the requests during an import; what is later waits for other programs of a busy machine, too. */
const LATE_SHARE = 0.95;

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
  // The embedded database runs in this thread. Other programs of the machine do not count.
  const startedAt = process.threadCpuUsage();
  const first = await importArchive(db, client, archive);
  const seconds = readCpuMs(startedAt) / 1_000;
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

it("requests of others are answered while an import runs", async () => {
  const client = await createClient(db, api);
  const other = await createClient(db, api);
  const chatId = await other.startChat();
  const archive = await createArchive(1_000);
  const referenceMs = await measureReferenceMs();
  let isOver = false;
  const importing = importArchive(db, client, archive).finally(() => (isOver = true));
  const request = () => other.call(`GET /chats/${chatId}`);
  const times = await measureRequests(request, () => isOver);
  await importing;
  let left = times.length;
  const quiet = percentile(await measureRequests(request, () => (left -= 1) < 0), LATE_SHARE);
  const late = percentile(times, LATE_SHARE);
  process.stdout.write(
    `${times.length} requests during an import: 95 % within ${late.toFixed(1)} ms, without ${quiet.toFixed(1)} ms, the reference takes ${referenceMs.toFixed(1)} ms\n`,
  );
  expect((late - quiet) / referenceMs).toBeLessThan(MAX_BLOCKING);
}, 600_000);

it("an import does not hold up other requests", async () => {
  const client = await createClient(db, api);
  const archive = await createArchive(500);
  const blocking = await measureBlocking(() => importArchive(db, client, archive));
  process.stdout.write(`an import, blocking: ${blocking.toFixed(2)}\n`);
  expect(blocking).toBeLessThan(MAX_BLOCKING);
}, 600_000);

it("an export does not hold up other requests, in flat memory", async () => {
  const client = await createClient(db, api);
  const archive = await createArchive(1_000);
  await importArchive(db, client, archive);
  let most = 0;
  const exportAll = async () => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const { body } = await api.api.handleRest(client.request("GET /export"));
    let pieces = 0;
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      pieces += piece.length > 0 ? 1 : 0;
      if (pieces % 50 !== 0) continue;
      collectGarbage();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
  };
  await exportAll();
  const startedAt = performance.now();
  const blocking = await measureBlocking(async () => {
    const { body } = await api.api.handleRest(client.request("GET /export"));
    await body?.pipeTo(new WritableStream());
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(
    `an export of 1,000 chats: ${seconds.toFixed(1)} s, blocking ${blocking.toFixed(2)}, ${toMegabytes(most)} MB at most\n`,
  );
  expect(blocking).toBeLessThan(MAX_BLOCKING);
  expect(most).toBeLessThan(MAX_GROWTH_BYTES);
}, 600_000);

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import sharp from "sharp";
import { afterEach, expect, it } from "vitest";
import { createFile } from "@/server/chat/create-file";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { createRecentChanges } from "@/server/db/chats/recent-changes";
import { createNotifications } from "@/server/stream/notifications";
import { createChangeReads } from "@/server/stream/change-reads";
import { createPreviewRelay } from "@/server/stream/preview-relay";
import { streamChatEvents } from "@/server/stream/stream-chat-events";
import { createClient, createTestApi } from "@/test/api-client";
import { createBareChat } from "@/test/chat-editor";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { type Kept, measureKept } from "@/test/kept-memory";
import { type ScriptedStep, pendingForever, textParts, textStep } from "@/test/scripted-model";
import { serveApi } from "@/test/serve-api";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { createTurnFixture } from "@/test/turn-fixture";
import { createWireModel } from "@/test/wire-model";

const MAX_KEPT_BYTES = 1024;
/** Connections that a client and a server close later, and files of the database in memory. */
const MAX_DESCRIPTORS = 4;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Buffers are not compared: the database of tests has its files in them, and those grow with what is written. */
const expectNothingKept = (kept: Kept): void => {
  expect(kept.heapBytes).toBeLessThan(MAX_KEPT_BYTES);
  expect(kept.objects).toBeLessThan(1);
  expect(kept.descriptors).toBeLessThan(MAX_DESCRIPTORS);
};

it("a stream keeps nothing when it is closed", async () => {
  const db = await testDatabase();
  const userId = await createUser(db);
  const { id: chatId } = await createBareChat(db, userId);
  const shared = {
    relay: createPreviewRelay(),
    recent: createRecentChanges(),
    readChanges: createChangeReads(db),
  };
  const notifications = createNotifications(db, { pollMs: 3_600_000 });
  closing.push(notifications.close);
  await notifications.ready();
  const kept = await measureKept(async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const options = { ...shared, db, chatId, viewer: { userId }, after: 0, signal, notifications };
    for await (const { type } of streamChatEvents(options)) {
      if (type === "caught-up") controller.abort();
    }
  });
  expectNothingKept(kept);
  expect(kept.bufferBytes).toBeLessThan(MAX_KEPT_BYTES);
});

it.each(["a chat", "all chats"])(
  "a stream of %s by HTTP keeps nothing when it is cut",
  async (of) => {
    const db = await testDatabase();
    const app = createTestApi(db);
    const client = await createClient(db, app);
    const { id } = await createBareChat(db, client.userId);
    const { url, close } = await serveApi(app);
    closing.push(close);
    const path = of === "a chat" ? `/chats/${id}/stream` : "/watch";
    const headers = { authorization: `Bearer ${client.key}` };
    const kept = await measureKept(async () => {
      const request = get(`${url}/api/v1${path}`, { headers, agent: false });
      const [response] = (await once(request, "response")) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      request.on("error", () => undefined);
      response.on("error", () => undefined);
      response.destroy();
      await once(response, "close");
    });
    expectNothingKept(kept);
  },
);

it("a preview keeps nothing when it has ended", async () => {
  const relay = createPreviewRelay();
  let chats = 0;
  const kept = await measureKept(() => {
    chats += 1;
    const watch = relay.watch(`chat-${chats}`, () => undefined);
    const writer = relay.open(`chat-${chats}`);
    writer.reset(1, 1);
    writer.write({ op: "text-append", index: 0, text: "x".repeat(100_000) });
    writer.end();
    watch.close();
    return Promise.resolve();
  });
  expectNothingKept(kept);
  expect(kept.bufferBytes).toBeLessThan(MAX_KEPT_BYTES);
});

it.each<[how: string, steps: ScriptedStep[]]>([
  ["with an answer", [textStep("hi")]],
  ["with an error of the model", [{ throws: Object.assign(new Error("no"), { statusCode: 401 }) }]],
])("a turn keeps nothing when it has ended %s", async (_how, steps) => {
  const ctx = await createTestContext(await testDatabase());
  const kept = await measureKept(async () => {
    const turn = await createTurnFixture({ ctx, steps });
    await turn.run();
  });
  expectNothingKept(kept);
});

it("a turn keeps nothing when it is stopped", async () => {
  const ctx = await createTestContext(await testDatabase());
  const kept = await measureKept(async () => {
    const steps = [[...textParts("half an"), pendingForever()]];
    const turn = await createTurnFixture({ ctx, steps });
    const running = turn.run();
    await turn.model.waitForCalls(1);
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
  });
  expectNothingKept(kept);
});

/** The image takes most of the time. */
const IMAGE_TURNS = 100;
/** Of an image that is made smaller for models, in base64. */
const MIN_SENT_OF_IMAGE = 300_000;
/** Caches that fill up take 10 KB of each turn, also without an image. */
const MAX_KEPT_OF_IMAGE = 32 * 1024;

it("a turn with an image of 1 MB keeps neither its bytes nor their base64", async () => {
  const ctx = await createTestContext(await testDatabase());
  const raw = { width: 700, height: 500, channels: 3 } as const;
  const bytes = await sharp(randomBytes(700 * 500 * 3), { raw })
    .png()
    .toBuffer();
  let sent = 0;
  const server = await startStubServer((response, { text }) => {
    sent += text.length;
    server.requests.length = 0;
    sendEvents(response, ANSWER);
    response.end();
  });
  closing.push(server.close);
  const model = createWireModel("anthropic", server.url);
  const kept = await measureKept(
    async () => {
      const { id } = await createFile(ctx, { name: "photo.png", bytes });
      const content = [{ type: "file" as const, file_id: id }];
      const turn = await createTurnFixture({ ctx, steps: [], content });
      await turn.run({ resolveModel: () => Promise.resolve(model) });
      expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
    },
    { actions: IMAGE_TURNS },
  );
  expect(sent).toBeGreaterThan(IMAGE_TURNS * MIN_SENT_OF_IMAGE);
  expect(kept.heapBytes).toBeLessThan(MAX_KEPT_OF_IMAGE);
});

const ANSWER = [
  {
    type: "message_start",
    message: {
      id: "m1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Red." } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 4 },
  },
  { type: "message_stop" },
];

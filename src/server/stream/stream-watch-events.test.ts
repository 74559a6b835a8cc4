import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/database";
import type { Viewer } from "@/server/db/viewer";
import { createBareChat, deleteBareChat, editChat, parkChat } from "@/test/chat-editor";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import type { WatchStreamEvent } from "./stream-event";
import { createNotifications, type Notifications } from "./notifications";
import { streamWatchEvents } from "./stream-watch-events";

let db: Database;
let userId: string;
let viewer: Viewer;
let notifications: Notifications;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  db = await testDatabase();
  userId = await createUser(db);
  viewer = { userId };
  notifications = createNotifications(db);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await notifications.close();
});

/** Watches from now on; resolves once no change can be missed. */
const watch = async (options: Partial<Parameters<typeof streamWatchEvents>[0]> = {}) => {
  const events: WatchStreamEvent[] = [];
  const controller = new AbortController();
  let reads = 0;
  const counting: Database = {
    ...db,
    query: async <Row>(...[statement, values]: Parameters<Database["query"]>) => {
      const rows = await db.query<Row>(statement, values);
      if (statement.name === "readable-chat-versions") reads += 1;
      return rows;
    },
  };
  const running = (async () => {
    const { signal } = controller;
    const stream = streamWatchEvents({ db: counting, viewer, signal, notifications, ...options });
    for await (const event of stream) events.push(event);
  })();
  stops.push(async () => {
    controller.abort();
    await running;
  });
  await expect.poll(() => reads).toBeGreaterThan(0);
  return events;
};

const short = (event: WatchStreamEvent): string =>
  `${event.type} ${event.type === "chat.deleted" ? event.id : `${event.chat.id} v${event.chat.version}`}`;

it("sends the changes of the viewer's chats, and none of others'", async () => {
  const old = await createBareChat(db, userId);
  const events = await watch();
  const other = await createBareChat(db, await createUser(db));
  const made = await createBareChat(db, userId);
  await expect.poll(() => events.length).toBe(1);
  await editChat(db, old.id, { type: "touch", status: "waiting" });
  await expect.poll(() => events.length).toBe(2);
  await editChat(db, other.id, { type: "touch", status: "waiting" });
  await deleteBareChat(db, made.id);
  await expect.poll(() => events.length).toBe(3);
  expect(events.map(short)).toEqual([
    `chat.created ${made.id} v1`,
    `chat.updated ${old.id} v2`,
    `chat.deleted ${made.id}`,
  ]);
});

it("sends actions that are required already to a client that connects late", async () => {
  const [parked, idle] = [await createBareChat(db, userId), await createBareChat(db, userId)];
  await parkChat(db, parked.id, "call-1");
  await editChat(db, idle.id, { type: "touch", status: "waiting" });
  const events = await watch();
  await expect.poll(() => events.length).toBe(1);
  expect(events).toMatchObject([
    {
      type: "chat.action_required",
      chat: { id: parked.id, status: "requires_action" },
      openCalls: [{ toolCallId: "call-1", toolName: "ask" }],
    },
  ]);
});

it("sends a required action once, and again when its calls change", async () => {
  const chat = await createBareChat(db, userId);
  const events = await watch();
  await parkChat(db, chat.id, "call-1");
  await expect.poll(() => events.length).toBe(2);
  await editChat(db, chat.id, { type: "touch" });
  await expect.poll(() => events.length).toBe(3);
  await editChat(db, chat.id, { type: "touch", status: "waiting" });
  await expect.poll(() => events.length).toBe(4);
  await parkChat(db, chat.id, "call-2");
  await expect.poll(() => events.length).toBe(6);
  expect(events.map(short)).toEqual([
    `chat.updated ${chat.id} v2`,
    `chat.action_required ${chat.id} v2`,
    `chat.updated ${chat.id} v3`,
    `chat.updated ${chat.id} v4`,
    `chat.updated ${chat.id} v5`,
    `chat.action_required ${chat.id} v5`,
  ]);
});

it("sends each version once, however often it is announced", async () => {
  const chat = await createBareChat(db, userId);
  const events = await watch();
  await editChat(db, chat.id, { type: "touch", status: "waiting", announced: 3 });
  await expect.poll(() => events.length).toBe(1);
  await editChat(db, chat.id, { type: "touch", status: "error", announced: 3 });
  await expect.poll(() => events.length).toBe(2);
  expect(events.map(short)).toEqual([`chat.updated ${chat.id} v2`, `chat.updated ${chat.id} v3`]);
});

it("finds unannounced changes, deletions too", async () => {
  const silent: Database = { ...db, listen: () => Promise.resolve(() => Promise.resolve()) };
  const [kept, gone] = [await createBareChat(db, userId), await createBareChat(db, userId)];
  const silentNotifications = createNotifications(silent);
  stops.push(silentNotifications.close);
  const events = await watch({ notifications: silentNotifications, checkMs: 10 });
  const made = await createBareChat(db, userId);
  await editChat(db, kept.id, { type: "touch" });
  await deleteBareChat(db, gone.id);
  await expect
    .poll(() => events.map(short).sort())
    .toEqual([
      `chat.created ${made.id} v1`,
      `chat.deleted ${gone.id}`,
      `chat.updated ${kept.id} v2`,
    ]);
});

it("does not miss what is committed while the database is read", async () => {
  const chat = await createBareChat(db, userId);
  let edited = false;
  const racing: Database = {
    ...db,
    query: async <Row>(...[statement, values]: Parameters<Database["query"]>) => {
      const rows = await db.query<Row>(statement, values);
      if (statement.name === "readable-chat-versions" && !edited) {
        edited = true;
        const notified = new Promise<void>((resolve) => {
          notifications.subscribe(chat.id, () => resolve());
        });
        await editChat(db, chat.id, { type: "touch" });
        await notified;
      }
      return rows;
    },
  };
  const events: WatchStreamEvent[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const running = (async () => {
    const stream = streamWatchEvents({ db: racing, viewer, signal, notifications });
    for await (const event of stream) events.push(event);
  })();
  stops.push(async () => {
    controller.abort();
    await running;
  });
  await expect.poll(() => events.map(short)).toEqual([`chat.updated ${chat.id} v2`]);
});

import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import type { Viewer } from "@/server/db/chats/viewer";
import { createBareChat, deleteBareChat, editChat, parkChat } from "@/test/chat-editor";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import type { WatchStreamEvent } from "./stream-event";
import { createChangeReads } from "./change-reads";
import { createNotifications, type Notifications } from "./notifications";
import { streamWatchEvents } from "./stream-watch-events";
import { createViewerFeeds, type ViewerFeeds } from "./viewer-feed";

let db: Database;
let userId: string;
let viewer: Viewer;
let notifications: Notifications;
let counting: Database;
const ended = new Set<WatchStreamEvent[]>();
let reads: { name: string; rows: number }[] = [];
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  db = await testDatabase();
  userId = await createUser(db);
  viewer = { userId };
  notifications = createNotifications(db);
  reads = [];
  counting = {
    ...db,
    query: async <Row>(...[statement, values]: Parameters<Database["query"]>) => {
      const rows = await db.query<Row>(statement, values);
      reads.push({ name: statement.name, rows: rows.length });
      return rows;
    },
  };
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await notifications.close();
});

const countReads = (name: string): number => reads.filter((read) => read.name === name).length;

/** Watches from now on; resolves once no change can be missed. */
const watch = async (
  options: Partial<Parameters<typeof createViewerFeeds>[0]> & { feeds?: ViewerFeeds } = {},
) => {
  const {
    feeds = createViewerFeeds({
      db: counting,
      readChanges: createChangeReads(counting),
      notifications,
      ...options,
    }),
  } = options;
  const events: WatchStreamEvent[] = [];
  const controller = new AbortController();
  const running = (async () => {
    const { signal } = controller;
    for await (const event of await streamWatchEvents({ viewer, signal, feeds }))
      events.push(event);
    ended.add(events);
  })();
  stops.push(async () => {
    controller.abort();
    await running;
  });
  await expect.poll(() => countReads("list-parked-chats")).toBeGreaterThan(0);
  return events;
};

const short = (event: WatchStreamEvent): string =>
  `${event.type} ${event.type === "chat.deleted" ? event.id : `${event.chat.id} v${event.chat.version}`}`;

it("sends the changes of the viewer's chats, and none of others'", async () => {
  const old = await createBareChat(db, userId);
  const events = await watch();
  const other = await createBareChat(db, await createUser(db));
  const created = await createBareChat(db, userId);
  await expect.poll(() => events.length).toBe(1);
  await editChat(db, old.id, { type: "touch", status: "waiting" });
  await expect.poll(() => events.length).toBe(2);
  await editChat(db, other.id, { type: "touch", status: "waiting" });
  await deleteBareChat(db, created.id);
  await expect.poll(() => events.length).toBe(3);
  expect(events.map(short)).toEqual([
    `chat.created ${created.id} v1`,
    `chat.updated ${old.id} v2`,
    `chat.deleted ${created.id}`,
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

it("sends the required action of another answer, even if its calls have the same ids", async () => {
  const chat = await createBareChat(db, userId);
  const events = await watch();
  await parkChat(db, chat.id, "call_0");
  await expect.poll(() => events.length).toBe(2);
  await parkChat(db, chat.id, "call_0");
  await expect.poll(() => events.length).toBe(4);
  expect(events.slice(2).map(short)).toEqual([
    `chat.updated ${chat.id} v3`,
    `chat.action_required ${chat.id} v3`,
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
  const silent: Database = {
    ...db,
    changes: { subscribe: () => Promise.resolve(() => Promise.resolve()) },
  };
  const [kept, gone] = [await createBareChat(db, userId), await createBareChat(db, userId)];
  const silentNotifications = createNotifications(silent);
  stops.push(silentNotifications.close);
  const events = await watch({ notifications: silentNotifications, checkMs: 10 });
  const created = await createBareChat(db, userId);
  await editChat(db, kept.id, { type: "touch" });
  await deleteBareChat(db, gone.id);
  await expect
    .poll(() => events.map(short).sort())
    .toEqual([
      `chat.created ${created.id} v1`,
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
      if (statement.name === "list-chat-versions" && !edited) {
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
    const feeds = createViewerFeeds({
      db: racing,
      readChanges: createChangeReads(racing),
      notifications,
    });
    for await (const event of await streamWatchEvents({ viewer, signal, feeds }))
      events.push(event);
  })();
  stops.push(async () => {
    controller.abort();
    await running;
  });
  await expect.poll(() => events.map(short)).toEqual([`chat.updated ${chat.id} v2`]);
});

it("reads each change once for all streams of a viewer, and never all chats", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 450; index++) ids.push(await writeChat(db, userId));
  const parked = await createBareChat(db, userId);
  await parkChat(db, parked.id, "call-1");
  const feeds = createViewerFeeds({
    db: counting,
    readChanges: createChangeReads(counting),
    notifications,
    checkMs: 50,
  });
  const streams = await Promise.all(Array.from({ length: 20 }, () => watch({ feeds })));
  await expect.poll(() => streams.map(({ length }) => length)).toEqual(streams.map(() => 1));
  expect(countReads("list-parked-chats")).toBe(1);
  expect(countReads("chat-changes")).toBe(1);

  await editChat(db, parked.id, { type: "touch", status: "waiting" });
  await expect.poll(() => streams.map(({ length }) => length)).toEqual(streams.map(() => 2));
  expect(countReads("chat-changes")).toBe(2);
  expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(200);

  // The checks reach the oldest chat in turn.
  await expect.poll(() => countReads("list-chat-versions")).toBeGreaterThan(10);
  const oldest = ids[0] ?? "";
  await db.prisma.chat.delete({ where: { id: oldest } });
  await expect
    .poll(() => streams.map((events) => events.map(short).at(-1)))
    .toEqual(streams.map(() => `chat.deleted ${oldest}`));
});

it("ends when notifications may have been lost", async () => {
  let loseConnection = (): void => undefined;
  const lossy = createNotifications({
    ...db,
    changes: {
      subscribe: (listener) => {
        loseConnection = () => listener("");
        return db.changes.subscribe(listener);
      },
    },
  });
  stops.push(lossy.close);
  const events = await watch({ notifications: lossy });
  expect(ended).not.toContain(events);
  loseConnection();
  await expect.poll(() => ended.has(events)).toBe(true);
});

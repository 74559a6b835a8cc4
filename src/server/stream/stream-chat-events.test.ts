import fc from "fast-check";
import { v7 as newId } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRecentChanges } from "@/server/db/chats/recent-changes";
import type { Database } from "@/server/db/connection/database";
import type { MessageRow } from "@/server/db/chats/rows";
import type { Viewer } from "@/server/db/chats/viewer";
import {
  type ChatEdit,
  createBareChat,
  deleteBareChat,
  editChat,
  parkChat,
} from "@/test/chat-editor";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { createChangeReads } from "./change-reads";
import type { ChatStreamEvent } from "./stream-event";
import { streamChatEvents } from "./stream-chat-events";
import { createNotifications, type Notifications } from "./notifications";
import type { PreviewRelay } from "./preview-relay";
import { createPreviewRelay } from "./preview-relay";

let db: Database;
let userId: string;
let viewer: Viewer;
let relay: PreviewRelay;
let notifications: Notifications;
const clients: { stop: () => Promise<void> }[] = [];

/** Longer than any test. */
const NEVER_MS = 10 * 60_000;

beforeEach(async () => {
  db = await testDatabase();
  userId = await createUser(db);
  viewer = { userId };
  relay = createPreviewRelay({ flushMs: 1 });
  notifications = createNotifications(db, { pollMs: NEVER_MS });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.stop()));
  await notifications.close();
});

/** What a client holds; the rules are those of docs/events.md. */
const createScreen = () => {
  const messages = new Map<string, MessageRow>();
  let chat: Extract<ChatStreamEvent, { type: "chat" }> | undefined;
  let preview = "";
  let seq = 0;
  const drop = () => {
    preview = "";
    seq = 0;
  };
  const apply = (event: ChatStreamEvent): void => {
    switch (event.type) {
      case "message":
        drop();
        expect(event.message.revision).toBeGreaterThanOrEqual(
          messages.get(event.message.id)?.revision ?? 0,
        );
        messages.set(event.message.id, event.message);
        break;
      case "message-deleted":
        drop();
        messages.delete(event.id);
        break;
      case "chat":
        expect(event.chat.version).toBeGreaterThanOrEqual(chat?.chat.version ?? 0);
        chat = event;
        break;
      case "task":
      case "agents":
        // This chat has none.
        expect.fail("an event of a task, or of agents");
        break;
      case "preview-reset":
        drop();
        break;
      case "preview":
        expect(event.seq).toBe(seq);
        seq += 1;
        for (const op of event.ops) if ("text" in op) preview += op.text;
        expect(preview).toMatch(new RegExp(`^(${chat?.chat.historyVersion}\\.\\d+;)*$`));
        break;
      case "caught-up":
        expect(event.version).toBe(chat?.chat.version);
    }
    checkNothingIsDoubled();
  };
  const ordered = () => [...messages.values()].sort((a, b) => a.seq - b.seq);
  /** Tokens look like "12.5;": the fifth of a step that continues history 12. */
  const checkNothingIsDoubled = (): void => {
    const tokens = (preview + ordered().map(getText).join("")).match(/\d+\.\d+;/g) ?? [];
    expect(new Set(tokens).size).toBe(tokens.length);
  };
  return {
    apply,
    /** A client that knows no version yet holds nothing. */
    connect: (): void => {
      if (!chat) messages.clear();
    },
    cursor: () => chat?.chat.version ?? 0,
    chat: () => chat,
    preview: () => preview,
    state: () => ({
      version: chat?.chat.version,
      status: chat?.chat.status,
      queue: chat?.queue.map(({ id }) => id),
      messages: ordered().map((message) => [message.id, message.revision, getText(message)]),
      preview,
    }),
  };
};

const getText = ({ parts }: MessageRow): string =>
  parts.map((part) => ("text" in part ? part.text : "")).join("");

const stateOfDatabase = async (chatId: string, preview: string) => {
  const chat = await readChat(db, chatId);
  const queue = await db.query<{ id: string }>(
    {
      name: "test-queue",
      text: "SELECT id FROM queued_message WHERE chat_id = $1 ORDER BY position",
    },
    [chatId],
  );
  return {
    version: chat.version,
    status: chat.status,
    queue: queue.map(({ id }) => id),
    messages: (await readWholeHistory(db, chatId)).map((message) => [
      message.id,
      message.revision,
      getText(message),
    ]),
    preview,
  };
};

/** A client that applies its events, and can disconnect, reconnect and be slow. */
const startClient = (
  chatId: string,
  options: Partial<Parameters<typeof streamChatEvents>[0]> = {},
) => {
  const screen = createScreen();
  const events: ChatStreamEvent[] = [];
  let controller = new AbortController();
  let running: Promise<void> | undefined;
  let failure: unknown;
  let gate: { opened: Promise<void>; open: () => void } | undefined;

  const run = async (signal: AbortSignal): Promise<void> => {
    const stream = streamChatEvents({
      db,
      chatId,
      viewer,
      after: screen.cursor(),
      signal,
      notifications,
      relay,
      recent: createRecentChanges(),
      readChanges: createChangeReads(options.db ?? db),
      ...options,
    });
    for await (const event of stream) {
      // A disconnected client receives nothing.
      if (signal.aborted) return;
      events.push(event);
      screen.apply(event);
      await gate?.opened;
    }
  };
  const connect = (): void => {
    screen.connect();
    controller = new AbortController();
    running = run(controller.signal).catch((error: unknown) => {
      failure = error;
    });
  };
  const block = (): void => {
    let open = () => undefined as void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    gate ??= { opened, open };
  };
  const unblock = (): void => {
    gate?.open();
    gate = undefined;
  };
  const client = {
    screen,
    events,
    connect,
    block,
    unblock,
    ended: () => running,
    failure: () => failure,
    isCaughtUp: () => events.some(({ type }) => type === "caught-up"),
    stop: async (): Promise<void> => {
      controller.abort();
      unblock();
      await running;
    },
  };
  clients.push(client);
  connect();
  return client;
};

const getTypes = (events: ChatStreamEvent[]): string[] => events.map(({ type }) => type);

describe("on connect", () => {
  it("sends the messages, the chat, the preview so far, and that the client is caught up", async () => {
    const chat = await createBareChat(db, userId);
    await editChat(db, chat.id, { type: "enqueue", status: "running" });
    const writer = relay.open(chat.id);
    writer.reset(2, chat.historyVersion);
    for (const text of ["1.1;", "1.2;"]) writer.write({ op: "text-append", index: 0, text });
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    expect(getTypes(client.events)).toEqual([
      "message",
      "chat",
      "preview-reset",
      "preview",
      "caught-up",
    ]);
    expect(client.events[3]).toEqual({
      type: "preview",
      attempt: 2,
      seq: 0,
      ops: [{ op: "text-append", index: 0, text: "1.1;1.2;" }],
    });
    expect(client.screen.state()).toEqual(await stateOfDatabase(chat.id, "1.1;1.2;"));
  });

  it("sends only what is newer than the cursor, deletions too", async () => {
    const chat = await createBareChat(db, userId);
    const add = { type: "add-message", role: "assistant" } as const;
    await editChat(db, chat.id, { ...add, text: "kept" });
    const { version } = await editChat(db, chat.id, { ...add, text: "wrong" });
    await editChat(db, chat.id, { type: "delete-last" });
    await editChat(db, chat.id, { ...add, text: "right" });
    const client = startClient(chat.id, { after: version });
    await expect.poll(client.isCaughtUp).toBe(true);
    expect(getTypes(client.events).sort()).toEqual([
      "caught-up",
      "chat",
      "message",
      "message-deleted",
      "preview-reset",
    ]);
  });

  it("resets the preview of a client when there is none", async () => {
    const chat = await createBareChat(db, userId);
    const client = startClient(chat.id, { after: chat.version });
    await expect.poll(client.isCaughtUp).toBe(true);
    expect(getTypes(client.events)).toEqual(["chat", "preview-reset", "caught-up"]);
  });

  it.each(["an unknown chat", "no id at all", "another user's chat"])(
    "ends at once for %s",
    async (what) => {
      const other = await createBareChat(db, await createUser(db));
      const ids: Record<string, string> = {
        "an unknown chat": newId(),
        "no id at all": "me",
        "another user's chat": other.id,
      };
      const client = startClient(ids[what] ?? "");
      await client.ended();
      expect(client.events).toEqual([]);
      expect(client.failure()).toBeUndefined();
    },
  );

  it("accepts a chat id in capitals", async () => {
    const chat = await createBareChat(db, userId);
    const client = startClient(chat.id.toUpperCase());
    await expect.poll(client.isCaughtUp).toBe(true);
    await editChat(db, chat.id, { type: "touch" });
    await expect.poll(() => client.screen.cursor()).toBe(2);
  });
});

describe("live", () => {
  it("does not miss what is committed while the database is read", async () => {
    const chat = await createBareChat(db, userId);
    let edited = false;
    const racing: Database = {
      ...db,
      query: async <Row>(...[statement, values]: Parameters<Database["query"]>) => {
        const rows = await db.query<Row>(statement, values);
        if (statement.name === "chat-changes-page" && !edited) {
          edited = true;
          const notified = new Promise<void>((resolve) => {
            const stop = notifications.subscribe(chat.id, () => {
              stop();
              resolve();
            });
          });
          await editChat(db, chat.id, { type: "add-message", role: "assistant", text: "new" });
          await notified;
        }
        return rows;
      },
    };
    const client = startClient(chat.id, { db: racing });
    await expect.poll(() => client.screen.cursor()).toBe(2);
    expect(client.screen.state()).toEqual(await stateOfDatabase(chat.id, ""));
  });

  it("sends a long chat page by page, with what changes meanwhile", async () => {
    const chat = await createBareChat(db, userId);
    const text = "x".repeat(400 * 1024);
    for (let count = 0; count < 5; count++) {
      await editChat(db, chat.id, { type: "add-message", role: "assistant", text });
    }
    const pages: number[] = [];
    const racing: Database = {
      ...db,
      query: async <Row>(...[statement, values]: Parameters<Database["query"]>) => {
        const rows = await db.query<Row>(statement, values);
        if (statement.name !== "chat-changes-page") return rows;
        const [record] = rows as { messages: object[] | null }[];
        pages.push(record?.messages?.length ?? 0);
        if (pages.length === 2) {
          await editChat(db, chat.id, { type: "delete-last" });
          await editChat(db, chat.id, { type: "add-message", role: "assistant", text: "new" });
        }
        return rows;
      },
    };
    const client = startClient(chat.id, { db: racing });
    await expect.poll(client.isCaughtUp).toBe(true);
    expect(pages.slice(0, 3)).toEqual([3, 2, 1]);
    expect(client.screen.state()).toEqual(await stateOfDatabase(chat.id, ""));
  });

  it("sends each version once, however often it is announced", async () => {
    const chat = await createBareChat(db, userId);
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    for (const status of ["waiting", "error", "waiting"] as const) {
      await editChat(db, chat.id, { type: "touch", status, announced: 3 });
    }
    await editChat(db, chat.id, { type: "add-message", role: "user", text: "last" });
    await expect.poll(() => client.screen.state().messages.length).toBe(2);
    await expect.poll(() => client.screen.cursor()).toBe(5);
    const versions = client.events.flatMap((event) =>
      event.type === "chat" ? [event.chat.version] : [],
    );
    expect(new Set(versions).size).toBe(versions.length);
  });

  it("shows a preview until its step is committed, never both", async () => {
    const chat = await createBareChat(db, userId);
    await editChat(db, chat.id, { type: "touch", status: "running" });
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    const writer = relay.open(chat.id);
    writer.reset(1, chat.historyVersion);
    writer.write({ op: "text-append", index: 0, text: "1.1;" });
    await expect.poll(() => client.screen.preview()).toBe("1.1;");
    const before = client.events.length;
    const step = await editChat(db, chat.id, {
      type: "add-message",
      role: "assistant",
      text: "1.1;",
    });
    // The next step begins before the client may know of the commit.
    writer.reset(0, step.historyVersion);
    writer.write({ op: "text-append", index: 0, text: `${step.historyVersion}.1;` });
    await expect.poll(() => client.screen.preview()).toBe(`${step.historyVersion}.1;`);
    const types = getTypes(client.events.slice(before));
    expect(types.slice(0, 3)).toEqual(["message", "chat", "preview-reset"]);
    expect(types.slice(-2)).toEqual(["preview-reset", "preview"]);
  });

  it("keeps the preview of an ended answer until its outcome is read", async () => {
    const chat = await createBareChat(db, userId);
    await editChat(db, chat.id, { type: "touch", status: "running" });
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    const writer = relay.open(chat.id);
    writer.reset(1, chat.historyVersion);
    writer.write({ op: "text-append", index: 0, text: "1.1;" });
    await expect.poll(() => client.screen.preview()).toBe("1.1;");
    await editChat(db, chat.id, { type: "touch", status: "error", announced: 0 });
    const before = client.events.length;
    writer.end();
    await expect.poll(() => client.screen.preview()).toBe("");
    expect(getTypes(client.events.slice(before))).toEqual(["chat", "preview-reset"]);
  });

  it("drops the preview of a chat that rests, even if its end was lost", async () => {
    const chat = await createBareChat(db, userId);
    await editChat(db, chat.id, { type: "touch", status: "running" });
    const [client, stuck] = [startClient(chat.id), startClient(chat.id)];
    await expect.poll(client.isCaughtUp).toBe(true);
    await expect.poll(stuck.isCaughtUp).toBe(true);
    stuck.block();
    const mirror = relay.mirror(chat.id);
    mirror.begin({ attempt: 1, historyVersion: chat.historyVersion });
    mirror.write([{ op: "text-append", index: 0, text: "1.1;" }]);
    await expect.poll(() => client.screen.preview()).toBe("1.1;");
    await editChat(db, chat.id, { type: "touch", status: "error" });
    await expect.poll(() => client.screen.preview()).toBe("");
  });

  it("reads an unannounced history when a preview continues it", async () => {
    const chat = await createBareChat(db, userId);
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    const { historyVersion } = await editChat(db, chat.id, {
      type: "add-message",
      role: "user",
      text: "unannounced",
      status: "running",
      announced: 0,
    });
    const writer = relay.open(chat.id);
    writer.reset(1, historyVersion);
    writer.write({ op: "text-append", index: 0, text: "2.1;" });
    await expect.poll(() => client.screen.preview()).toBe("2.1;");
    expect(client.screen.state()).toEqual(await stateOfDatabase(chat.id, "2.1;"));
  });

  it("sends a parked chat with its open calls", async () => {
    const chat = await createBareChat(db, userId);
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    await parkChat(db, chat.id, "call-1");
    await expect
      .poll(() => client.screen.chat())
      .toMatchObject({
        chat: { status: "requires_action" },
        openCalls: [{ toolCallId: "call-1" }],
      });
  });

  it("ends when the chat is deleted", async () => {
    const chat = await createBareChat(db, userId);
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    await deleteBareChat(db, chat.id);
    await client.ended();
    expect(client.failure()).toBeUndefined();
  });

  it("unsubscribes when the client disconnects", async () => {
    const chat = await createBareChat(db, userId);
    let subscribed = 0;
    const counted: Notifications = {
      ...notifications,
      subscribe: (id, listener) => {
        subscribed += 1;
        const stop = notifications.subscribe(id, listener);
        return () => {
          subscribed -= 1;
          stop();
        };
      },
    };
    const client = startClient(chat.id, { notifications: counted });
    await expect.poll(client.isCaughtUp).toBe(true);
    expect(subscribed).toBe(1);
    await client.stop();
    expect(subscribed).toBe(0);
  });

  it("sends a slow client the newest state without the steps between", async () => {
    const chat = await createBareChat(db, userId);
    await editChat(db, chat.id, { type: "touch", status: "running" });
    const client = startClient(chat.id);
    await expect.poll(client.isCaughtUp).toBe(true);
    const fast = startClient(chat.id);
    const writer = relay.open(chat.id);
    writer.reset(1, chat.historyVersion);
    client.block();
    let written = "";
    for (let index = 0; index < 300; index += 1) {
      const token = `1.${index};`;
      written += token;
      writer.write({ op: "text-append", index: 0, text: token });
      await expect.poll(() => fast.screen.preview(), { interval: 1 }).toBe(written);
      if (index % 30 === 0) await editChat(db, chat.id, { type: "touch" });
    }
    const before = client.events.length;
    client.unblock();
    await expect.poll(() => client.screen.preview()).toBe(written);
    await expect.poll(() => client.screen.cursor()).toBe(12);
    expect(client.events.length - before).toBeLessThan(10);
  });
});

type Step = {
  do:
    | "send"
    | "edit"
    | "revise"
    | "queue"
    | "touch"
    | "attempt"
    | "token"
    | "commit"
    | "finish"
    | "fail";
  announced: number;
  client: "stay" | "hang-up" | "connect" | "block" | "unblock";
  pauseMs: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 5, arbitrary: fc.constant("token" as const) },
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        ...([
          "send",
          "edit",
          "revise",
          "queue",
          "touch",
          "attempt",
          "commit",
          "finish",
          "fail",
        ] as const),
      ),
    },
  ),
  announced: fc.constantFrom(0, 1, 1, 2),
  client: fc.oneof(
    { weight: 6, arbitrary: fc.constant("stay" as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...(["hang-up", "connect", "block", "unblock"] as const)),
    },
  ),
  pauseMs: fc.constantFrom(0, 0, 0, 1, 3, 60),
});

/** A worker and its users, with the preview that a watcher must hold in the end. */
const createWorld = (chatId: string) => {
  const writer = relay.open(chatId);
  let history = 1;
  let made: { base: number; text: string } | undefined;
  let tokens = 0;
  let attempt = 0;
  const edit = async (change: ChatEdit, announced: number): Promise<void> => {
    history = (await editChat(db, chatId, { ...change, announced })).historyVersion;
  };
  const begin = (): void => {
    made = { base: history, text: "" };
    writer.reset((attempt += 1), history);
  };
  const commit = async (announced: number, status: "running" | "waiting"): Promise<boolean> => {
    if (made?.base !== history) return false;
    await edit({ type: "add-message", role: "assistant", text: made.text, status }, announced);
    return true;
  };
  const end = (): void => {
    made = undefined;
    writer.end();
  };
  const acts: Record<Step["do"], (announced: number) => Promise<void> | void> = {
    send: (n) => edit({ type: "add-message", role: "user", text: "more", status: "pending" }, n),
    edit: (n) => edit({ type: "delete-last", status: "pending" }, n),
    revise: (n) => edit({ type: "revise-last", text: "!" }, n),
    queue: (n) => edit({ type: n === 1 ? "enqueue" : "dequeue" }, n),
    touch: (n) => edit({ type: "touch" }, n),
    attempt: async (n) => {
      await edit({ type: "touch", status: "running" }, n);
      begin();
    },
    token: () => {
      if (!made) return;
      const text = `${made.base}.${(tokens += 1)};`;
      made.text += text;
      writer.write({ op: "text-append", index: 0, text });
    },
    commit: async (n) => {
      if (await commit(n, "running")) begin();
      else end();
    },
    finish: async (n) => {
      await commit(n, "waiting");
      end();
    },
    fail: async (n) => {
      await edit({ type: "touch", status: "error" }, n);
      end();
    },
  };
  return { act: acts, preview: () => (made?.base === history ? made.text : "") };
};

it("a client that applies the events equals the database after any sequence of changes", async () => {
  notifications = createNotifications(db, { pollMs: 25 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const chat = await createBareChat(db, userId);
      const world = createWorld(chat.id);
      const client = startClient(chat.id);
      let connected = true;
      for (const { do: act, announced, client: change, pauseMs } of steps) {
        if (change === "block") client.block();
        if (change === "unblock") client.unblock();
        if (change === "hang-up" && connected) await client.stop();
        if (change === "connect" && !connected) client.connect();
        if (change === "hang-up" || change === "connect") connected = change === "connect";
        await world.act[act](announced);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      if (!connected) client.connect();
      client.unblock();
      const expected = await stateOfDatabase(chat.id, world.preview());
      await expect.poll(() => client.failure() ?? client.screen.state()).toEqual(expected);
      await client.stop();
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

import { setTimeout as sleep } from "node:timers/promises";
import type { EventType } from "@/contract/event-type";
import type { Database } from "@/server/db/connection/database";
import type { Viewer } from "@/server/db/chats/viewer";
import { type Attention, findAttention } from "@/server/db/sql/reads/attention-reads";
import { type ChatWithCalls, readChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import {
  areEventsHeld,
  type EventPosition,
  type EventRow,
  listEvents,
  readEventPosition,
} from "@/server/db/sql/reads/event-reads";
import { listParkedChats } from "@/server/db/sql/reads/version-reads";
import { saveEventReader } from "@/server/db/sql/writes/event-writes";
import type { Notifications } from "./notifications";
import { createWaker } from "./waker";

/** Events that one statement reads. */
const PAGE = 100;
/** How soon events are read again that an earlier transaction holds back. */
const HELD_MS = 100;
/** Notifications may be lost. */
const POLL_MS = 10_000;
/** How often a reader says that it still reads. */
const RENEW_MS = 60 * 60_000;

/** A chat as it is now, and what of it the viewer should look at. */
export type EventChat = ChatWithCalls & { attention: Attention };

export type KeptEvent = { position: EventPosition } & (
  | { type: "reset" | "caught-up" }
  /** A chat that waits for results or approvals when the stream begins. */
  | { type: "parked"; found: EventChat }
  | { type: "event"; row: EventRow; found: EventChat | undefined }
);

type KeptEventDeps = { db: Database; notifications: Notifications };

type KeptEventOptions = {
  viewer: Viewer;
  /** Undefined for a stream that begins with what waits now. */
  after: EventPosition | undefined;
  types: readonly EventType[];
  signal: AbortSignal;
};

/**
 * Streams the events of the viewer's chats after a position, none of them twice and none left out. A position that is too
 * old, or of another database, is a reset: the stream begins with what waits now, as without a position.
 */
export async function* streamKeptEvents(
  { db, notifications }: KeptEventDeps,
  { viewer, after, types, signal }: KeptEventOptions,
): AsyncGenerator<KeptEvent, void> {
  const waker = createWaker();
  const unsubscribe = notifications.subscribeViewer(viewer, waker.wake);
  const timer = setInterval(waker.wake, POLL_MS).unref();
  signal.addEventListener("abort", waker.wake);
  try {
    await notifications.ready();
    const sinceXid = await saveEventReader(db, viewer);
    let renewedAt = performance.now();
    let position = after;
    if (position && !(await isReadable(db, position, sinceXid))) {
      position = undefined;
      yield { type: "reset", position: { xid: 0, id: 0 } };
    }
    let isCaughtUp = position === undefined;
    if (!position) {
      position = await waitForReader(db, sinceXid, signal);
      yield* listParked(db, viewer, position);
      yield { type: "caught-up", position };
    }
    while (!signal.aborted) {
      const rows = await listEvents(db, viewer, { after: position, types, limit: PAGE });
      for await (const event of findChats(db, viewer, rows)) {
        position = event.position;
        yield event;
      }
      if (rows.length === PAGE) continue;
      if (!isCaughtUp) yield { type: "caught-up", position };
      isCaughtUp = true;
      if (await areEventsHeld(db, viewer, position)) await sleep(HELD_MS);
      else await waker.sleep();
      if (performance.now() - renewedAt < RENEW_MS) continue;
      renewedAt = performance.now();
      await saveEventReader(db, viewer);
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener("abort", waker.wake);
    unsubscribe();
  }
}

const isReadable = async (db: Database, after: EventPosition, sinceXid: number): Promise<boolean> =>
  after.xid >= sinceXid && after.xid <= (await readEventPosition(db)).xid;

/** Transactions that began before the reader was known have written no events: what they do must be in the snapshot. */
const waitForReader = async (
  db: Database,
  sinceXid: number,
  signal: AbortSignal,
): Promise<EventPosition> => {
  for (;;) {
    const position = await readEventPosition(db);
    if (position.xid > sinceXid || signal.aborted) return position;
    await sleep(HELD_MS);
  }
};

async function* listParked(
  db: Database,
  viewer: Viewer,
  position: EventPosition,
): AsyncGenerator<KeptEvent, void> {
  for (const chatId of await listParkedChats(db, viewer)) {
    const found = await findChat(db, viewer, chatId);
    if (found) yield { type: "parked", position, found };
  }
}

/** Reads each chat once for events that are read together. */
async function* findChats(
  db: Database,
  viewer: Viewer,
  rows: readonly EventRow[],
): AsyncGenerator<Extract<KeptEvent, { type: "event" }>, void> {
  const chats = new Map<string, Promise<EventChat | undefined>>();
  for (const row of rows) {
    const { chatId, xid, id } = row;
    const found = chats.get(chatId) ?? findChat(db, viewer, chatId);
    chats.set(chatId, found);
    yield { type: "event", position: { xid, id }, row, found: await found };
  }
}

const findChat = async (
  db: Database,
  viewer: Viewer,
  chatId: string,
): Promise<EventChat | undefined> => {
  const found = await readChatWithCalls(db, { chatId, viewer });
  return found && { ...found, attention: (await findAttention(db, viewer, [chatId]))(chatId) };
};

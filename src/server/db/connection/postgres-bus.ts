import { randomUUID } from "node:crypto";
import { type ChangeBus, createLocalBus } from "./change-bus";
import type { Database } from "./database";
import { createReconnectingClient } from "./reconnecting-client";
import type { ServerConfig } from "./server-client.mjs";

/** The channel of earlier versions, which take for a gap what they cannot read. */
const CHANNEL = "parley_chat";
/** What happens within this time is one notification. */
const GATHER_MS = 5;
/** After a failure, as the connection is opened again meanwhile. */
const RETRY_MS = 1_000;
/** Notices that wait for the server; while it is away, nothing is committed. */
const MAX_PENDING = 10_000;
/** A payload has fewer than 8,000 bytes. */
const MAX_BYTES = 7_900;

/** Named, as it is sent up to 200 times a second. */
const NOTIFY = { name: "notify-chats", text: "SELECT pg_notify($1, $2)" };

/**
 * The bus of processes with one PostgreSQL server. No transaction that changes something notifies by itself: its commit would hold
 * a lock of the whole server until the disk has the log. A connection of its own sends what this process has committed, without
 * waiting for the disk.
 *
 * @param listen receives the notifications of a channel, and "" after its connection was lost.
 */
export const createPostgresBus = (
  config: ServerConfig,
  listen: Database["listen"],
): ChangeBus & { close: () => Promise<void> } => {
  const local = createLocalBus();
  const sender = createSender(config);
  let stopListening: Promise<() => Promise<void>> | undefined;
  const start = (): Promise<unknown> =>
    (stopListening ??= listen(CHANNEL, (payload) =>
      local.publish(readPayload(payload, sender.id)),
    ).catch((error: unknown) => {
      stopListening = undefined;
      throw error;
    }));
  return {
    publish: (notices) => {
      local.publish(notices);
      sender.send(notices);
    },
    subscribe: async (listener) => {
      const unsubscribe = await local.subscribe(listener);
      await start();
      return unsubscribe;
    },
    /** Sends what is left. */
    close: sender.close,
  };
};

/** The first line ends with a space, by which an earlier version does not take one notice for its own. */
const writePayload = (id: string, notices: readonly string[]): string =>
  [`${id} `, ...notices].join("\n");

/** @returns the notices of another process. */
const readPayload = (payload: string, ownId: string): string[] => {
  const [first = "", ...notices] = payload.split("\n");
  const id = first.trimEnd();
  if (id === ownId) return [];
  // An earlier version sends single notices.
  return notices.length === 0 ? [payload] : notices;
};

const createSender = (config: ServerConfig) => {
  const id = randomUUID();
  let pending: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> | undefined;
  const connection = createReconnectingClient(config, {
    prepare: async (client) => {
      await client.query("SET synchronous_commit = off");
    },
    onNotification: () => undefined,
    onReconnect: () => undefined,
  });
  const sendAll = async (): Promise<void> => {
    while (pending.length > 0) {
      const client = await connection.current();
      const batch = takeBatch(pending);
      try {
        if (!client) throw new Error("the server is unreachable");
        await client.query({ ...NOTIFY, values: [CHANNEL, writePayload(id, batch)] });
      } catch {
        // A pooler may have given it another session, without the prepared statement.
        connection.drop();
        pending.unshift(...batch);
        // The others read all that they watch again.
        if (pending.length > MAX_PENDING) pending = [""];
        schedule(RETRY_MS);
        return;
      }
    }
  };
  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        sentAt = performance.now();
        sending ??= sendAll().finally(() => {
          sending = undefined;
        });
      },
      Math.max(0, sentAt + delayMs - performance.now()),
    ).unref();
  };
  return {
    id,
    send: (notices: readonly string[]): void => {
      pending.push(...notices);
      if (notices.length > 0) schedule(GATHER_MS);
    },
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await sending;
      await sendAll();
      await connection.close();
    },
  };
};

/** Takes as many as fit into one payload, of which one always does. */
const takeBatch = (pending: string[]): string[] => {
  let bytes = 40;
  const end = pending.findIndex((notice) => {
    bytes += Buffer.byteLength(notice) + 1;
    return bytes > MAX_BYTES;
  });
  return pending.splice(0, end < 0 ? pending.length : Math.max(1, end));
};

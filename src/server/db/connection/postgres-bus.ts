import { randomUUID } from "node:crypto";
import { type ChangeBus, createLocalBus } from "./change-bus";
import type { Database } from "./database";
import { CHANGE_CHANNEL, createNoticeSender, type Notify, readPayload } from "./notice-sender";
import { createPeers } from "./peers";
import { createReconnectingClient } from "./reconnecting-client";
import type { ServerConfig } from "./server-client.mjs";

/** Named, as it is sent up to 200 times a second. */
const NOTIFY = { name: "notify-chats", text: "SELECT pg_notify($1, $2)" };

/**
 * The bus of processes with one PostgreSQL server. No transaction that changes something notifies by itself: its commit would hold
 * a lock of the whole server until the disk has the log. A connection of its own sends what this process has committed, without
 * waiting for the disk. It sends nothing while no other process is there.
 *
 * @param listen receives the notifications of a channel, and "" after its connection was lost.
 */
export const createPostgresBus = (
  config: ServerConfig,
  listen: Database["listen"],
): ChangeBus & { close: () => Promise<void> } => {
  const id = randomUUID();
  const local = createLocalBus();
  const { notify, close } = createNotifier(config);
  const sender = createNoticeSender({ id, notify, isAlone: () => peers.isAlone() });
  const peers = createPeers({ id, listen, notify, onJoin: sender.sendKept });
  let started: Promise<void> | undefined;
  const listenToAll = async (): Promise<void> => {
    await listen(CHANGE_CHANNEL, (payload) => local.publish(readPayload(payload, id)));
    await peers.start();
  };
  const start = (): Promise<void> =>
    (started ??= listenToAll().catch((error: unknown) => {
      started = undefined;
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
    close: async () => {
      await sender.close();
      await peers.close();
      await close();
    },
  };
};

/** The connection that notifies. */
const createNotifier = (config: ServerConfig) => {
  const connection = createReconnectingClient(config, {
    prepare: async (client) => {
      await client.query("SET synchronous_commit = off");
    },
    onNotification: () => undefined,
    onReconnect: () => undefined,
  });
  const notify: Notify = async (channel, payload) => {
    try {
      const client = await connection.current();
      await client?.query({ ...NOTIFY, values: [channel, payload] });
      return client !== undefined;
    } catch {
      // A pooler may have given it another session, without the prepared statement.
      connection.drop();
      return false;
    }
  };
  return { notify, close: connection.close };
};

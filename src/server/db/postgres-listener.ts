import pg from "pg";
import type { Database } from "./database";
import { createReconnectingClient } from "./reconnecting-client";

type Listener = (payload: string) => void;

/**
 * Notifications over one connection, which is opened by the first `listen`. That resolves when
 * the channel is heard, or at once while the server is away.
 */
export const createPostgresListener = (
  config: pg.ClientConfig,
): { listen: Database["listen"]; close: () => Promise<void> } => {
  const listeners = new Map<string, Set<Listener>>();

  const tell = (channel: string, payload: string): void => {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  };

  const connection = createReconnectingClient(config, {
    prepare: async (client) => {
      for (const channel of listeners.keys()) await client.query(sql("LISTEN", channel));
    },
    onNotification: tell,
    onReconnect: () => {
      for (const channel of listeners.keys()) tell(channel, "");
    },
  });

  /** A connection that breaks in the middle is opened again and prepared, so nothing is lost. */
  let last: Promise<void> = Promise.resolve();
  const run = (statement: string): Promise<void> => {
    // One after the other: a connection takes one statement at a time.
    last = last.then(async () => {
      await (await connection.current())?.query(statement).catch(() => undefined);
    });
    return last;
  };

  return {
    listen: async (channel, listener) => {
      // A listener of its own, so that the same function may listen twice.
      const own: Listener = (payload) => {
        listener(payload);
      };
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(own));
      // Also when the channel has listeners already: the LISTEN for them may still be under way.
      await run(sql("LISTEN", channel));
      return async () => {
        const others = listeners.get(channel);
        if (!others?.delete(own) || others.size > 0) return;
        listeners.delete(channel);
        await run(sql("UNLISTEN", channel));
      };
    },
    close: connection.close,
  };
};

const sql = (command: "LISTEN" | "UNLISTEN", channel: string): string =>
  `${command} ${pg.escapeIdentifier(channel)}`;

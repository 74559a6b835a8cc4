import type pg from "pg";
import { ServerClient, type ServerConfig } from "./server-client.mjs";

const FIRST_RETRY_MS = 250;
/** Also the longest delay between the return of a server and its use. */
const LONGEST_RETRY_MS = 5_000;

export type ClientDeps = {
  /** Prepares a connection before it is used; a rejection counts as a failed try. */
  prepare: (client: pg.Client) => Promise<void>;
  onNotification: (channel: string, payload: string) => void;
  /** Called when a connection is open again after one was lost or could not be opened. */
  onReconnect: () => void;
};

/** Creates one connection that is opened again whenever it is lost, until it is closed. */
export const createReconnectingClient = (config: ServerConfig, deps: ClientDeps) => {
  let client: pg.Client | undefined;
  /** When `client` was opened. */
  let openedAt = 0;
  let opening: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let closed = false;

  /** Opens a connection and uses it from now on; the one before ends after its last answer. */
  const change = async (): Promise<void> => {
    const next = await connect(config, deps);
    const previous = client;
    client = next;
    openedAt = performance.now();
    next.once("end", () => {
      if (client !== next) return;
      client = undefined;
      retryAfter(FIRST_RETRY_MS);
    });
    // Not at once: a statement may be about to be sent on it.
    setImmediate(() => {
      previous?.end().catch(() => undefined);
    });
  };

  const open = (): Promise<void> =>
    (opening ??= change().finally(() => {
      opening = undefined;
    }));

  const retryAfter = (delay: number): void => {
    if (closed || retryTimer) return;
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      open().then(deps.onReconnect, () => {
        retryAfter(Math.min(delay * 2, LONGEST_RETRY_MS));
      });
    }, delay);
    retryTimer.unref();
  };

  return {
    /** The connection, opened by the first call; undefined while the server is unreachable. */
    current: async (): Promise<pg.Client | undefined> => {
      if (client || retryTimer || closed) return client;
      await open().catch(() => {
        retryAfter(FIRST_RETRY_MS);
      });
      return client;
    },
    isOpen: (): boolean => client !== undefined,
    /** Replaces the connection if it was opened before a time. A failure leaves it as it is. */
    replace: (before: number): void => {
      if (client && !closed && openedAt < before) open().catch(() => undefined);
    },
    /** Closes the connection, which is then opened again: its session has lost what it knew. */
    drop: (): void => {
      client?.connection.stream.destroy();
    },
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(retryTimer);
      await opening?.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
};

const connect = async (config: ServerConfig, deps: ClientDeps): Promise<pg.Client> => {
  const client = new ServerClient(config);
  // Without a listener, the event would end the process; the "end" event that follows is handled.
  client.on("error", () => undefined);
  client.on("notification", ({ channel, payload }) => {
    deps.onNotification(channel, payload ?? "");
  });
  try {
    await client.connect();
    await deps.prepare(client);
  } catch (error) {
    // A server that does not answer would not answer a good-bye either.
    client.connection.stream.destroy();
    throw error;
  }
  return client;
};

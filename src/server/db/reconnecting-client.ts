import pg from "pg";

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

type ClientDeps = {
  /** Prepares a connection before it is used; a rejection counts as a failed try. */
  prepare: (client: pg.Client) => Promise<void>;
  onNotification: (channel: string, payload: string) => void;
  /** Called when a connection is open again after one was lost or could not be opened. */
  onReconnect: () => void;
};

/** Creates one connection that is opened again whenever it is lost, until it is closed. */
export const createReconnectingClient = (config: pg.ClientConfig, deps: ClientDeps) => {
  let client: pg.Client | undefined;
  let opening: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // Without a listener, the event would end the process; the "end" event that follows is handled.
    next.on("error", () => undefined);
    next.on("notification", ({ channel, payload }) => {
      deps.onNotification(channel, payload ?? "");
    });
    try {
      await next.connect();
      await deps.prepare(next);
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    client = next;
    next.once("end", () => {
      client = undefined;
      retryAfter(FIRST_RETRY_MS);
    });
  };

  const open = (): Promise<void> =>
    (opening ??= connect().finally(() => {
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
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(retryTimer);
      await opening?.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
};

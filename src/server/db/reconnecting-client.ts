import pg from "pg";

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

type Seams = {
  /** Prepares a connection before it is used; a rejection counts as a failed try. */
  prepare: (client: pg.Client) => Promise<void>;
  onNotification: (channel: string, payload: string) => void;
  /** A connection stands again after one was lost or could not be made. */
  onReconnect: () => void;
};

/** One connection that is opened again whenever it is lost, until closed. */
export const createReconnectingClient = (config: pg.ClientConfig, seams: Seams) => {
  let client: pg.Client | undefined;
  let opening: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // Unheard, the event would end the process; the connection's end follows and is acted on.
    next.on("error", () => undefined);
    next.on("notification", ({ channel, payload }) => {
      seams.onNotification(channel, payload ?? "");
    });
    try {
      await next.connect();
      await seams.prepare(next);
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
      open().then(seams.onReconnect, () => {
        retryAfter(Math.min(delay * 2, LONGEST_RETRY_MS));
      });
    }, delay);
    retryTimer.unref();
  };

  return {
    /** The connection, opened by the first call; undefined while the server is away. */
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

import pg from "pg";
import { createPoller } from "@/lib/poller";
import type { Database } from "./database";
import { createReconnectingClient } from "./reconnecting-client";

type Listener = (payload: string) => void;

/** A statement without an answer for this long probably waits for a lock. The next ones then use the pool. */
const LATE_MS = 250;

type SharedOptions = {
  /** When the connection is replaced. */
  maxAgeMs: number;
  /** How often it is asked. */
  checkMs: number;
  prepare: (client: pg.Client) => Promise<void>;
};

/**
 * Creates the connection that all single statements of a process share and that receives its notifications.
 * Statements are pipelined: many leave and many answers arrive with one write and one read of the socket,
 * which cost more than most statements.
 *
 * It is opened by its first use and again whenever it is lost. A lost one may stay silent instead of ending, so it
 * is asked at regular intervals: a process that only listens would never notice.
 *
 */
export const createSharedConnection = (config: pg.ClientConfig, options: SharedOptions) => {
  const listeners = createListeners();
  const answers = createAnswerTracker();
  const batchWrites = createWriteBatching();

  const connection = createReconnectingClient(
    { ...config, pipeline: true },
    {
      prepare: async (client) => {
        await options.prepare(client);
        for (const channel of listeners.channels()) await client.query(sql("LISTEN", channel));
      },
      onNotification: listeners.emit,
      onReconnect: () => {
        for (const channel of listeners.channels()) listeners.emit(channel, "");
      },
    },
  );

  /** A connection that breaks in the middle is opened again and prepared, so nothing is lost. */
  const command = async (text: string): Promise<void> => {
    await (await connection.current())?.query(text).catch(() => undefined);
  };

  const listen: Database["listen"] = async (channel, listener) => {
    const remove = listeners.add(channel, listener);
    // Also when the channel has listeners already: the LISTEN for them may still be under way.
    await command(sql("LISTEN", channel));
    return async () => {
      if (remove() === "last") await command(sql("UNLISTEN", channel));
    };
  };

  const query = async (statement: pg.QueryConfig): Promise<pg.QueryResult | undefined> => {
    const client = answers.isLate() ? undefined : await connection.current();
    if (!client) return undefined;
    answers.expect();
    batchWrites(client);
    try {
      return await client.query(statement);
    } finally {
      answers.arrived();
    }
  };

  const checks = createPoller({
    intervalMs: options.checkMs,
    run: async () => {
      connection.replace(performance.now() - options.maxAgeMs);
      await query({ text: "SELECT 1" });
    },
    // The driver has ended a connection that did not answer.
    onError: () => undefined,
    isBackground: true,
  });

  return {
    /**
     * Runs a statement that is a transaction of its own.
     *
     * @returns undefined when the connection is lost or late: the statement was not sent.
     */
    query,
    /** Resolves when the channel is subscribed, or at once while the server is unreachable. */
    listen,
    replace: connection.replace,
    close: async (): Promise<void> => {
      const stopped = checks.stop();
      await connection.close();
      await stopped;
    },
  };
};

const createListeners = () => {
  const byChannel = new Map<string, Set<Listener>>();
  return {
    channels: () => [...byChannel.keys()],
    emit: (channel: string, payload: string): void => {
      for (const listener of byChannel.get(channel) ?? []) listener(payload);
    },
    /** @returns removes the listener; "last" when its channel has no other one. */
    add: (channel: string, listener: Listener): (() => "last" | undefined) => {
      // A listener of its own, so that the same function may listen twice.
      const own: Listener = (payload) => {
        listener(payload);
      };
      byChannel.set(channel, (byChannel.get(channel) ?? new Set()).add(own));
      return () => {
        const others = byChannel.get(channel);
        if (!others?.delete(own) || others.size > 0) return undefined;
        byChannel.delete(channel);
        return "last";
      };
    },
  };
};

const createAnswerTracker = () => {
  let missing = 0;
  /** When the oldest statement without an answer was sent, or came to its turn. */
  let waitingSince = 0;
  return {
    expect: (): void => {
      if (missing === 0) waitingSince = performance.now();
      missing += 1;
    },
    arrived: (): void => {
      missing -= 1;
      waitingSince = performance.now();
    },
    isLate: (): boolean => missing > 0 && performance.now() - waitingSince > LATE_MS,
  };
};

/** Collects all data of one iteration of the event loop into one write of the socket. */
const createWriteBatching = () => {
  let corked: pg.Client | undefined;
  return (client: pg.Client): void => {
    if (corked === client) return;
    corked = client;
    const { stream } = client.connection;
    stream.cork();
    setImmediate(() => {
      stream.uncork();
      if (corked === client) corked = undefined;
    });
  };
};

const sql = (command: "LISTEN" | "UNLISTEN", channel: string): string =>
  `${command} ${pg.escapeIdentifier(channel)}`;

import type pg from "pg";
import type { ServerConfig } from "./server-client.mjs";
import { type ClientDeps, createReconnectingClient } from "./reconnecting-client";

/** A statement without an answer for this long probably waits for a lock. The next ones then go another way. */
const LATE_MS = 250;

export type PipelinedConnection = ReturnType<typeof createPipelinedConnection>;

/**
 * Creates a connection that many callers share. Statements are pipelined: many leave and many answers arrive with one write and
 * one read of the socket, which cost more than most statements. It is opened by its first use and again whenever it is lost.
 */
export const createPipelinedConnection = (config: ServerConfig, deps: ClientDeps) => {
  const answers = createAnswerTracker();
  const batchWrites = createWriteBatching();
  const connection = createReconnectingClient({ ...config, pipeline: true }, deps);
  return {
    /**
     * Runs a statement that is a transaction of its own.
     *
     * @returns undefined when the connection is lost or late: the statement was not sent.
     */
    query: async (statement: pg.QueryConfig): Promise<pg.QueryResult | undefined> => {
      if (answers.isLate()) return undefined;
      answers.expect();
      try {
        const client = await connection.current();
        if (!client) return undefined;
        batchWrites(client);
        return await client.query(statement);
      } finally {
        answers.arrived();
      }
    },
    isOpen: connection.isOpen,
    /** How many statements have no answer yet. */
    missing: answers.missing,
    isLate: answers.isLate,
    /** For how long, in milliseconds, any statement had no answer. */
    busyMs: answers.busyMs,
    current: connection.current,
    replace: connection.replace,
    drop: connection.drop,
    close: connection.close,
  };
};

const createAnswerTracker = () => {
  let missing = 0;
  /** When the oldest statement without an answer was sent, or came to its turn. */
  let waitingSince = 0;
  let busyMs = 0;
  const addBusyTime = (): void => {
    const now = performance.now();
    if (missing > 0) busyMs += now - waitingSince;
    waitingSince = now;
  };
  return {
    expect: (): void => {
      if (missing === 0) waitingSince = performance.now();
      missing += 1;
    },
    arrived: (): void => {
      addBusyTime();
      missing -= 1;
    },
    missing: (): number => missing,
    isLate: (): boolean => missing > 0 && performance.now() - waitingSince > LATE_MS,
    busyMs: (): number => busyMs,
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

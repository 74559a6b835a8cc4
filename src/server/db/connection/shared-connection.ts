import pg from "pg";
import { createPoller } from "@/lib/poller";
import type { Database } from "./database";
import { createConnectionCount } from "./connection-count";
import type { ServerConfig } from "./server-client.mjs";
import { createPipelinedConnection, type PipelinedConnection } from "./pipelined-connection";

type Listener = (payload: string) => void;

/** Most connections of a process that its single statements are spread over. */
const MAX_CONNECTIONS = 16;
/** A connection that was not used for this long is closed: the server keeps some megabytes for each. */
const UNUSED_MS = 60_000;

type SharedOptions = {
  /** Most connections, in addition to the first one. */
  maxMore: number;
  /** When the connection is replaced. */
  maxAgeMs: number;
  /** How often it is asked. */
  checkMs: number;
  prepare: (client: pg.Client) => Promise<void>;
  /** Called after each answer to that. */
  onCheck: (connection: PipelinedConnection) => Promise<void>;
};

/**
 * Creates the connections that all single statements of a process share, the first of which receives its notifications. The
 * others are opened while the process waits for them: see `createConnectionCount`.
 *
 * A lost connection may stay silent instead of ending, so the first one is asked at regular intervals: a process that only
 * listens would never notice.
 */
export const createSharedConnection = (config: ServerConfig, options: SharedOptions) => {
  const listeners = createListeners();
  const first = createPipelinedConnection(config, {
    prepare: async (client) => {
      await options.prepare(client);
      for (const channel of listeners.channels()) await client.query(sql("LISTEN", channel));
    },
    onNotification: listeners.emit,
    onReconnect: () => {
      for (const channel of listeners.channels()) listeners.emit(channel, "");
    },
  });
  const connections = createConnections(
    first,
    () => {
      const connection = createPipelinedConnection(config, {
        prepare: options.prepare,
        onNotification: () => undefined,
        onReconnect: () => undefined,
      });
      // It is used once it is open.
      connection.current().catch(() => undefined);
      return connection;
    },
    Math.min(1 + options.maxMore, MAX_CONNECTIONS),
  );

  /** A connection that breaks in the middle is opened again and prepared, so nothing is lost. */
  const command = async (text: string): Promise<void> => {
    await (await first.current())?.query(text).catch(() => undefined);
  };

  const listen: Database["listen"] = async (channel, listener) => {
    const remove = listeners.add(channel, listener);
    // Also when the channel has listeners already: the LISTEN for them may still be under way.
    await command(sql("LISTEN", channel));
    return async () => {
      if (remove() === "last") await command(sql("UNLISTEN", channel));
    };
  };

  const checks = createPoller({
    intervalMs: options.checkMs,
    run: async () => {
      connections.replace(performance.now() - options.maxAgeMs);
      await connections.closeUnused();
      await first.query({ text: "SELECT 1" });
      await options.onCheck(first);
    },
    // The driver has ended a connection that did not answer.
    onError: () => undefined,
    isBackground: true,
  });

  return {
    /**
     * Runs a statement that is a transaction of its own.
     *
     * @returns undefined when the connections are lost or late: the statement was not sent.
     */
    query: (statement: pg.QueryConfig) => connections.choose().query(statement),
    /** Resolves when the channel is subscribed, or at once while the server is unreachable. */
    listen,
    replace: connections.replace,
    /** Closes the connections, which are then opened again: their sessions have lost what they knew. */
    drop: connections.drop,
    close: async (): Promise<void> => {
      const stopped = checks.stop();
      await connections.close();
      await stopped;
    },
  };
};

/** Spreads statements over connections. */
const createConnections = (
  first: PipelinedConnection,
  open: () => PipelinedConnection,
  max: number,
) => {
  const connections = [{ connection: first, usedAt: 0 }];
  const readCount = createConnectionCount({
    max,
    readBusyMs: (count) =>
      connections.slice(0, count).reduce((sum, { connection }) => sum + connection.busyMs(), 0),
  });
  return {
    /** The connection with the fewest statements. */
    choose: (): PipelinedConnection => {
      const count = readCount();
      while (connections.length < count)
        connections.push({ connection: open(), usedAt: performance.now() });
      const chosen = connections
        .slice(0, count)
        .reduce((best, next) =>
          countStatements(next.connection) < countStatements(best.connection) ? next : best,
        );
      chosen.usedAt = performance.now();
      return chosen.connection;
    },
    replace: (before: number): void => {
      for (const { connection } of connections) connection.replace(before);
    },
    drop: (): void => {
      for (const { connection } of connections) connection.drop();
    },
    /** Closes the last ones while they were not used for some time. */
    closeUnused: async (): Promise<void> => {
      const isUnused = ({ connection, usedAt }: (typeof connections)[number]): boolean =>
        connection !== first &&
        connection.missing() === 0 &&
        usedAt < performance.now() - UNUSED_MS;
      const kept = connections.findLastIndex((each) => !isUnused(each)) + 1;
      await Promise.all(connections.splice(kept).map(({ connection }) => connection.close()));
    },
    close: async (): Promise<void> => {
      await Promise.all(connections.map(({ connection }) => connection.close()));
    },
  };
};

/** One that is not open, or probably waits for a lock, is the last choice. */
const countStatements = (connection: PipelinedConnection): number =>
  connection.isLate() || !connection.isOpen() ? Infinity : connection.missing();

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

const sql = (command: "LISTEN" | "UNLISTEN", channel: string): string =>
  `${command} ${pg.escapeIdentifier(channel)}`;

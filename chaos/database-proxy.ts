import { createServer, connect, type Socket } from "node:net";
import { listenOnLoopback } from "../e2e/server";

const POSTGRES_PORT = 5432;

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;

/** Starts a TCP proxy in front of a PostgreSQL server, whose connections fail as in a network. */
export const startDatabaseProxy = async (databaseUrl: string) => {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const silenced = new Set<readonly [Socket, Socket]>();
  let isRefusing = false;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isRefusing) {
      client.resetAndDestroy();
      return;
    }
    const port = Number(target.port || POSTGRES_PORT);
    const upstream = connect({ host: target.hostname, port, allowHalfOpen: true });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client]] as const) {
      // The "close" event follows.
      from.on("error", () => undefined);
      from.on("close", () => {
        pairs.delete(pair);
        // A silent connection does not pass on that its other side has closed.
        if (!silenced.has(pair)) to.destroy();
      });
      from.pipe(to);
    }
  });
  const port = await listenOnLoopback(server);
  const proxied = new URL(databaseUrl);
  proxied.hostname = "127.0.0.1";
  proxied.port = String(port);

  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };
  return {
    url: proxied.toString(),
    /** Resets all connections. */
    cut,
    /** Resets all connections and refuses new ones. */
    refuse: (): void => {
      isRefusing = true;
      cut();
    },
    /** Passes nothing on any more on the connections of now; their sockets stay open, new ones work. */
    silence: (): void => {
      for (const pair of pairs) {
        silenced.add(pair);
        for (const socket of pair) socket.unpipe().pause();
      }
    },
    /** Ends what has been silenced, and accepts connections again. */
    restore: (): void => {
      isRefusing = false;
      for (const pair of silenced) for (const socket of pair) socket.destroy();
      silenced.clear();
    },
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const pair of [...pairs, ...silenced]) for (const socket of pair) socket.destroy();
      await closed;
    },
  };
};

import { once } from "node:events";
import net from "node:net";
import type { Duplex } from "node:stream";

export type TcpProxy = {
  port: number;
  /**
   * Forgets the connections that are open, as a firewall does: they stay open and accept what is sent, but nothing
   * arrives any more, in neither direction. New connections work.
   */
  silence: () => void;
  close: () => Promise<void>;
};

/**
 * Starts a proxy on a free port of this machine, in front of a server.
 *
 * @param createFilter creates for each connection what the bytes of the server pass through.
 */
export const startTcpProxy = async (
  target: { host: string; port: number },
  createFilter?: () => Duplex,
): Promise<TcpProxy> => {
  const pairs = new Set<[net.Socket, net.Socket]>();
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const upstream = net.connect({ ...target, allowHalfOpen: true });
    const pair: [net.Socket, net.Socket] = [client, upstream];
    pairs.add(pair);
    for (const socket of pair) socket.on("error", () => undefined);
    client.pipe(upstream);
    if (createFilter) upstream.pipe(createFilter()).pipe(client);
    else upstream.pipe(client);
    client.on("close", () => {
      pairs.delete(pair);
      upstream.destroy();
    });
    upstream.on("close", () => {
      client.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    silence: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        upstream.removeAllListeners("close");
        // Reads on, so that the sender's buffers do not fill.
        for (const socket of [client, upstream]) socket.resume();
      }
    },
    close: async () => {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await once(server, "close");
    },
  };
};

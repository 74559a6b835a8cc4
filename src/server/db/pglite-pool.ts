import { Duplex } from "node:stream";
import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { typeParsers } from "./type-parsers";

/** The protocol's Terminate message; PGlite would take it as the end of its only session. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/**
 * A pool whose one connection is a PGlite instance, so that the embedded database is used through
 * the same driver as a server. The instance has one session: everything queues for it.
 */
export const createPglitePool = (
  lite: PGlite,
  onNotification: (channel: string, payload: string) => void,
): pg.Pool => {
  const pool = new pg.Pool({
    // The driver calls this without arguments, although its types declare another signature.
    stream: () => socketTo(lite),
    user: "postgres",
    database: "postgres",
    types: typeParsers,
    max: 1,
    idleTimeoutMillis: 0,
  });
  // The query on a broken connection rejects. Without a listener, the event would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    client.on("notification", ({ channel, payload }) => {
      onNotification(channel, payload ?? "");
    });
  });
  return pool;
};

/** Uses the raw protocol, because PGlite's other methods would parse each response twice. */
const answer = async (lite: PGlite, message: Buffer): Promise<Uint8Array> => {
  if (message.length === 0) return message;
  // The start-up message, the only one without a type, is answered as a value.
  if (message[0] === 0) return lite.execProtocolRaw(message);
  const pieces: Uint8Array[] = [];
  await lite.execProtocolRawStream(message, {
    // A view of the database's own memory, which the next piece overwrites.
    onRawData: (piece) => pieces.push(piece.slice()),
  });
  return Buffer.concat(pieces);
};

/** The socket of node-postgres; each write runs the database once. */
const socketTo = (lite: PGlite): Duplex => {
  const run = (chunks: Buffer[], done: (error?: Error | null) => void): void => {
    const message = Buffer.concat(chunks.filter((chunk) => !chunk.equals(TERMINATE)));
    answer(lite, message).then((bytes) => {
      // Let the event loop turn: answers that come at once would keep it busy with queries alone,
      // and requests, streams and timers waiting.
      setImmediate(() => {
        if (bytes.length > 0) socket.push(bytes);
        done();
      });
    }, done);
  };
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      run([chunk], done);
    },
    // Parse, bind, execute and sync are written together and run together.
    writev: (chunks: { chunk: Buffer }[], done) => {
      run(
        chunks.map(({ chunk }) => chunk),
        done,
      );
    },
    final: (done) => {
      socket.push(null);
      done();
    },
  });
  const socket = Object.assign(stream, {
    connect: () => {
      // All connections share one session, so the state of an earlier connection is discarded.
      lite.exec("ROLLBACK; DEALLOCATE ALL").then(
        () => socket.emit("connect"),
        (error: Error) => socket.destroy(error),
      );
    },
    setNoDelay: () => socket,
    setKeepAlive: () => socket,
    ref: () => socket,
    unref: () => socket,
  });
  return socket;
};

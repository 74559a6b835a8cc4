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
export const createPglitePool = (lite: PGlite): pg.Pool => {
  const pool = new pg.Pool({
    // The driver asks for a stream itself, although its types want it to return one.
    stream: () => socketTo(lite),
    user: "postgres",
    database: "postgres",
    types: typeParsers,
    max: 1,
    idleTimeoutMillis: 0,
  });
  pool.on("error", () => undefined);
  return pool;
};

/** What node-postgres takes for its socket; each write is one run of the database. */
const socketTo = (lite: PGlite): Duplex => {
  const run = (chunks: Buffer[], done: (error?: Error | null) => void): void => {
    const message = Buffer.concat(chunks.filter((chunk) => !chunk.equals(TERMINATE)));
    if (message.length === 0) {
      done();
      return;
    }
    lite.execProtocolRaw(message).then((answer) => {
      socket.push(answer);
      done();
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
      // The session outlives its connections: an earlier one may have left something behind.
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

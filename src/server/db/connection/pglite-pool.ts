import { Duplex } from "node:stream";
import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { typeParsers } from "./type-parsers";

/** The protocol's Terminate message; PGlite would take it as the end of its only session. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

type PgliteDeps = {
  onNotification: (channel: string, payload: string) => void;
  /** Called when the instance has failed for good; it must not be used again. */
  onFailure: (error: Error) => void;
};

/**
 * A pool whose one connection is a PGlite instance, so that the embedded database is used through
 * the same driver as a server. The instance has one session: everything queues for it.
 */
export const createPglitePool = (
  lite: PGlite,
  { onNotification, onFailure }: PgliteDeps,
): pg.Pool => {
  const instance = createInstance(lite, onFailure);
  const pool = new pg.Pool({
    // The driver calls this without arguments, although its types declare another signature.
    stream: () => socketTo(instance),
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

/**
 * Runs messages until the instance fails. A PANIC ends the process of a PostgreSQL server. The instance would
 * continue instead, and its next call would block this process for ever.
 */
const createInstance = (lite: PGlite, onFailure: (error: Error) => void) => {
  let failure: Error | undefined;
  const fail = (error: Error): Error => {
    failure = error;
    onFailure(error);
    return error;
  };
  const guard = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (failure) throw failure;
    try {
      return await run();
    } catch (error) {
      // An error of a statement is a message of the protocol. What is thrown is a failure of the WebAssembly machine
      // itself.
      throw failure ?? (lite.closed ? error : fail(error as Error));
    }
  };
  return {
    reset: () => guard(() => lite.exec("ROLLBACK; DEALLOCATE ALL")),
    /** Uses the raw protocol, because PGlite's other methods would parse each response twice. */
    answer: (message: Buffer): Promise<Buffer> =>
      guard(async () => {
        if (message.length === 0) return message;
        // The start-up message, the only one without a type, is answered as a value.
        if (message[0] === 0) return Buffer.from(await lite.execProtocolRaw(message));
        const pieces: Uint8Array[] = [];
        await lite.execProtocolRawStream(message, {
          // A view of the database's own memory, which the next piece overwrites.
          onRawData: (piece) => pieces.push(piece.slice()),
        });
        const bytes = Buffer.concat(pieces);
        const reason = findFatalError(bytes);
        if (reason !== undefined) fail(new Error(reason));
        return bytes;
      }),
  };
};

type Instance = ReturnType<typeof createInstance>;

/** The type byte of the protocol's ErrorResponse. */
const ERROR_RESPONSE = 0x45;
/** A message is its type, its length as 4 bytes without the type, and its fields. */
const HEADER_BYTES = 5;

/** @returns the message of an error that ends a server's session or process. */
const findFatalError = (bytes: Buffer): string | undefined => {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== ERROR_RESPONSE) continue;
    const fields = bytes
      .toString("utf8", at + HEADER_BYTES, at + 1 + bytes.readUInt32BE(at + 1))
      .split("\0");
    const field = (type: string) => fields.find((one) => one.startsWith(type))?.slice(1);
    const severity = field("V");
    if (severity === "FATAL" || severity === "PANIC") return field("M") ?? severity;
  }
  return undefined;
};

/** The socket of node-postgres; each write runs the database once. */
const socketTo = (instance: Instance): Duplex => {
  const stream = new Duplex({
    read: () => undefined,
    // Parse, bind, execute and sync are written together and run together. A single chunk is written by this, too.
    writev: (chunks: { chunk: Buffer }[], done) => {
      const written = chunks.map(({ chunk }) => chunk).filter((chunk) => !chunk.equals(TERMINATE));
      instance.answer(Buffer.concat(written)).then((bytes) => {
        // Let the event loop turn: answers that come at once would keep it busy with queries alone,
        // and requests, streams and timers waiting.
        setImmediate(() => {
          if (bytes.length > 0) socket.push(bytes);
          done();
        });
      }, done);
    },
    final: (done) => {
      socket.push(null);
      done();
    },
  });
  const socket = Object.assign(stream, {
    connect: () => {
      // All connections share one session, so the state of an earlier connection is discarded.
      instance.reset().then(
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

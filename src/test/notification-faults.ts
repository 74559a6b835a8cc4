import { type Duplex, Transform } from "node:stream";
import { startTcpProxy } from "./tcp-proxy";

/** What happens to notifications on their way from a server to a process. */
export type NotificationFault = "none" | "lost" | "late" | "doubled" | "reordered";

/** The type byte of the protocol's NotificationResponse. */
const NOTIFICATION = 0x41;
/** A message is its type, its length as 4 bytes without the type, and its fields. */
const HEADER_BYTES = 5;

type Faults = { fault: NotificationFault; lateMs: number; count: number };

/** Passes on the messages of one connection, which must not be encrypted. */
const createFilter = (faults: Faults): Duplex => {
  let rest = Buffer.alloc(0);
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const length = rest.length < HEADER_BYTES ? Infinity : 1 + rest.readUInt32BE(1);
        if (rest.length < length) break;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (message[0] !== NOTIFICATION || faults.fault === "none") {
          this.push(message);
          continue;
        }
        faults.count += 1;
        if (faults.fault === "late") setTimeout(() => this.push(message), faults.lateMs);
        else if (faults.fault === "doubled") this.push(Buffer.concat([message, message]));
        else if (faults.fault === "reordered") {
          if (held) this.push(Buffer.concat([message, held]));
          held = held ? undefined : message;
        }
      }
      done();
    },
  });
};

/** Starts a proxy in front of a PostgreSQL server. @param lateMs how late a notification is with the fault `late`. */
export const startNotificationProxy = async (databaseUrl: string, lateMs: number) => {
  const faults: Faults = { fault: "none", lateMs, count: 0 };
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  const { port, close } = await startTcpProxy(target, () => createFilter(faults));
  url.host = `127.0.0.1:${port}`;
  url.searchParams.set("sslmode", "disable");
  return {
    url: url.toString(),
    set: (fault: NotificationFault): void => void (faults.fault = fault),
    /** How many notifications it has lost or changed. */
    count: (): number => faults.count,
    close,
  };
};

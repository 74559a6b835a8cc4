import { createHash } from "node:crypto";
import { realpathSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** After a restart, the previous process may need some time to exit. */
const DEFAULT_WAIT_MS = 15_000;
const POLL_MS = 100;
const ANSWER_TIMEOUT_MS = 1_000;

/**
 * Keeps other processes of this machine out of a directory until released. The lock is a
 * listening socket, so that the system frees it however the process ends.
 *
 * @throws {Error} a sentence that names the process which holds the lock.
 */
export const lockDirectory = async (
  directory: string,
  waitMs = DEFAULT_WAIT_MS,
): Promise<() => void> => {
  const address = lockAddress(realpathSync(directory));
  const until = performance.now() + waitMs;
  for (;;) {
    const server = await hold(address);
    if (server) return () => server.close();
    const holder = await askHolder(address);
    if (holder === undefined && isFile(address)) rmSync(address, { force: true });
    if (performance.now() >= until) {
      throw new Error(
        `The data directory ${directory} is in use by process ${holder ?? "unknown"}. ` +
          "Stop that process, or set DATABASE_URL to a PostgreSQL server to run several.",
      );
    }
    await sleep(POLL_MS);
  }
};

/** Linux's abstract sockets and Windows' pipes vanish with their process; elsewhere it is a file. */
const lockAddress = (directory: string): string => {
  const name = `parley-${createHash("sha256").update(directory).digest("hex").slice(0, 24)}`;
  if (process.platform === "linux") return `\0${name}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  return path.join(os.tmpdir(), `${name}.sock`);
};

const isFile = (address: string): boolean => path.isAbsolute(address) && address.endsWith(".sock");

const hold = (address: string): Promise<net.Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.end(String(process.pid)));
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });

/** @returns the holder's process id, or undefined when no process answers. */
const askHolder = (address: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(address);
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve(answer || undefined);
    });
  });

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type * as Sqlite from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { getErrorMessage } from "@/lib/error-message";

/** After a restart, the previous process may need a moment to exit; then the refusal is printed within 3 s. */
const DEFAULT_WAIT_MS = 2_000;
const POLL_MS = 100;

/** SQLite's primary result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;
/** The lower byte of a result code is the primary one. */
const PRIMARY_CODE = 0xff;

const LOCK_FILE = "lock";
/** Held while the embedded database writes a checkpoint, and while a backup copies its files: see copy-cluster.ts. */
export const CHECKPOINT_LOCK = "checkpoint-lock";
const HOLDER_FILE = "lock-holder.json";

/** Who holds the lock. Only for the message: the lock itself is the kernel's. */
type Holder = { pid: number; host: string; bootId: string };

/**
 * Keeps all other processes out of a directory until released, those of other containers too. The lock is
 * an open exclusive transaction of SQLite on a file in the directory, and so a lock of the kernel on that
 * file: it ends with the process, however that ends, and stays while the process is suspended.
 *
 * @throws {Error} a sentence that names the process which holds the lock.
 */
export const lockDirectory = async (
  directory: string,
  waitMs = DEFAULT_WAIT_MS,
): Promise<() => void> => {
  const holderFile = path.join(/* turbopackIgnore: true */ directory, HOLDER_FILE);
  const until = performance.now() + waitMs;
  for (;;) {
    const lock = acquireLock(directory, LOCK_FILE);
    if (lock) {
      writeHolder(holderFile);
      return () => {
        rmSync(holderFile, { force: true });
        lock.close();
      };
    }
    if (performance.now() >= until) {
      throw new Error(
        `The data directory ${directory} is in use by ${describeHolder(holderFile)}. ` +
          "Stop that process, or set DATABASE_URL to a PostgreSQL server to run several.",
      );
    }
    await sleep(POLL_MS);
  }
};

/** Takes another lock of the directory. @returns what releases it; undefined when somebody holds it. */
export const tryLock = (directory: string, file: string): (() => void) | undefined => {
  const lock = acquireLock(directory, file);
  return (
    lock &&
    (() => {
      lock.close();
    })
  );
};

/** @returns undefined when another process holds the lock. */
const acquireLock = (directory: string, file: string): Sqlite.DatabaseSync | undefined => {
  // Loaded here, because Node 20 lacks it and does not need it with a PostgreSQL server.
  const sqlite = process.getBuiltinModule("node:sqlite") as typeof Sqlite | undefined;
  if (!sqlite) throw new Error("The embedded database needs Node 22.13 or newer.");
  let lock: Sqlite.DatabaseSync | undefined;
  try {
    lock = new sqlite.DatabaseSync(path.join(/* turbopackIgnore: true */ directory, file));
    // Without a journal nothing is written, so that a full disk does not prevent the lock.
    lock.exec("PRAGMA journal_mode = OFF");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) return undefined;
    throw new Error(
      `The data directory ${directory} cannot be locked (${getErrorMessage(error)}): ` +
        "give this account the right to write it, on a file system with locks.",
      { cause: error },
    );
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  "errcode" in error &&
  (Number(error.errcode) & PRIMARY_CODE) === SQLITE_BUSY;

const readBootId = (): string => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
};

const writeHolder = (file: string): void => {
  const holder: Holder = { pid: process.pid, host: os.hostname(), bootId: readBootId() };
  try {
    writeFileSync(file, JSON.stringify(holder));
  } catch {
    // A full disk: the refusal of another process then names none.
  }
};

const describeHolder = (file: string): string => {
  try {
    const holder = JSON.parse(readFileSync(/* turbopackIgnore: true */ file, "utf8")) as Holder;
    const process = `process ${holder.pid}`;
    if (holder.host === os.hostname()) return process;
    const isThisMachine = holder.bootId !== "" && holder.bootId === readBootId();
    return `${process} of the ${isThisMachine ? "container" : "machine"} ${holder.host}`;
  } catch {
    return "another process";
  }
};

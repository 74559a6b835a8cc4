import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasErrorCode } from "@/lib/has-error-code";
import { toClusterDirectory } from "@/server/db/connection/cluster";
import { CHECKPOINT_LOCK, tryLock } from "@/server/db/connection/directory-lock";
import { copyPaced } from "@/server/db/connection/paced-writes";

/** A vacuum of a large database is over by then. */
const LOCK_WAIT_MS = 10 * 60_000;
const POLL_MS = 50;
/** A server that is started or stopped meanwhile writes a checkpoint. */
const MAX_ATTEMPTS = 5;

const CONTROL_FILE = path.join("global", "pg_control");
const LOG_DIRECTORY = "pg_wal";
/** Names a process, and is written anew by each start. */
const LEFT_OUT = new Set([LOG_DIRECTORY, "postmaster.pid"]);

/**
 * Copies the files of an embedded database while a server uses it, without asking that server for anything. The copy is what a
 * crash would leave, and is consistent when it is opened: no checkpoint is written while the files are copied, so that the log
 * since the last one has each page that was changed meanwhile; the log is copied last, so that it has all that is in the files.
 *
 * @throws {Error} a sentence.
 */
export const copyCluster = async (dataDir: string, target: string): Promise<void> => {
  const source = toClusterDirectory(dataDir);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const unlock = await lockCheckpoints(dataDir);
    try {
      const control = await readFile(path.join(source, CONTROL_FILE));
      await rm(target, { recursive: true, force: true });
      await copyTree(source, target, LEFT_OUT);
      await copyTree(path.join(source, LOG_DIRECTORY), path.join(target, LOG_DIRECTORY));
      if (control.equals(await readFile(path.join(source, CONTROL_FILE)))) {
        await writeFile(path.join(target, CONTROL_FILE), control);
        return;
      }
    } finally {
      unlock();
    }
  }
  throw new Error(
    `The embedded database in ${source} was started or stopped ${MAX_ATTEMPTS} times while it was copied: try again.`,
  );
};

const lockCheckpoints = async (dataDir: string): Promise<() => void> => {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const unlock = tryLock(dataDir, CHECKPOINT_LOCK);
    if (unlock) return unlock;
    if (performance.now() > until)
      throw new Error(`The embedded database in ${dataDir} is busy: another backup copies it.`);
    await sleep(POLL_MS);
  }
};

const NOTHING: ReadonlySet<string> = new Set();

const copyTree = async (source: string, target: string, leftOut = NOTHING): Promise<void> => {
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue;
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isDirectory()) await copyTree(from, to);
    else if (entry.isFile()) {
      // A file of a table that is dropped meanwhile is not needed.
      await copyPaced(from, to).catch((error: unknown) => {
        if (!hasErrorCode(error, "ENOENT")) throw error;
      });
    }
  }
};

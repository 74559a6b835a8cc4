import pLimit from "p-limit";
import type { Database } from "@/server/db/connection/database";
import {
  type ChangesRange,
  type ChatChanges,
  readChangesOfMany,
} from "@/server/db/sql/reads/chat-reads";

/** Statements at the same time, so that a long answer holds up only those that are read with it. */
const MAX_STATEMENTS = 2;
/** Most chats of a statement. */
const MAX_CHATS = 20;

type Waiting = {
  range: ChangesRange;
  resolve: (changes: ChatChanges | undefined) => void;
  reject: (error: unknown) => void;
};

/** Reads the changes of one chat. Rejects when the database is away. */
export type ChangeReads = (range: ChangesRange) => Promise<ChatChanges | undefined>;

/**
 * Reads what has changed in chats, together what the streams of this process ask for at the same moment: notices come
 * together, and where no worker of this process has made the changes, each of them is read.
 */
export const createChangeReads = (db: Database): ChangeReads => {
  const limit = pLimit(MAX_STATEMENTS);
  const waiting: Waiting[] = [];
  const readWaiting = async (): Promise<void> => {
    const batch = waiting.splice(0, MAX_CHATS);
    if (waiting.length > 0) schedule();
    try {
      const changes = await readChangesOfMany(
        db,
        batch.map(({ range }) => range),
      );
      batch.forEach(({ resolve }, index) => resolve(changes[index]));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    }
  };
  const schedule = (): void => {
    setImmediate(() => {
      // It reports its failure to those who wait.
      limit(readWaiting).catch(() => undefined);
    });
  };
  return (range) =>
    new Promise((resolve, reject) => {
      waiting.push({ range, resolve, reject });
      if (waiting.length === 1) schedule();
    });
};

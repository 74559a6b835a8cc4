import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import type { Database } from "@/server/db/connection/database";
import { listOrphanedChats, releaseChat } from "@/server/db/sql/machine/claim";

type OrphanDeps = {
  db: Database;
  /** The worker that the leases name. */
  owner: string;
  checkMs: number;
  log: Logger;
};

export type OrphanedChats = ReturnType<typeof createOrphanedChats>;

/**
 * Finds chats that are leased to a worker without a turn of it, because the answer to a claim or to a turn's
 * last statement was lost. Other workers would take them at the end of the lease only.
 */
export const createOrphanedChats = (
  turns: { leaseTokens: () => string[] },
  { db, owner, checkMs, log }: OrphanDeps,
) => {
  /** One chat that fails must not keep the worker from all others. */
  const release = async (lease: Parameters<typeof releaseChat>[1]): Promise<void> => {
    try {
      await releaseChat(db, lease);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const { chatId } = lease;
      log.warn({ err: error, chatId }, "a chat without a turn could not be released");
    }
  };
  let dueAt = performance.now() + checkMs;
  /** Claims that run: their chats have no turns yet. */
  let claims = 0;
  let isReleasing = false;
  const releaseAll = async (): Promise<void> => {
    const orphans = await listOrphanedChats(db, { owner, leaseTokens: turns.leaseTokens() });
    for (const lease of orphans) await release(lease);
    dueAt = performance.now() + checkMs;
  };
  return {
    /** Makes the next `release` look at once if the call fails. @returns the call. */
    watch: <Result>(call: Promise<Result>): Promise<Result> =>
      call.catch((error: unknown) => {
        dueAt = 0;
        throw error;
      }),
    /** Called before a claim, which must not begin while `isReleasing`. @returns ends it when its chats have turns. */
    beginClaim: (): (() => void) => {
      claims += 1;
      return () => void (claims -= 1);
    },
    isReleasing: () => isReleasing,
    /** Whether `release` would look for them. */
    isDue: () => performance.now() >= dueAt,
    /** Releases them, at intervals, unless a claim runs. */
    release: async (): Promise<void> => {
      if (performance.now() < dueAt || claims > 0) return;
      isReleasing = true;
      await releaseAll().finally(() => (isReleasing = false));
    },
  };
};

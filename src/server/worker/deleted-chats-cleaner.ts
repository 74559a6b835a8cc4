import pLimit from "p-limit";
import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import { deleteExpiredChats } from "@/server/chat/delete-expired-chats";
import { listExistingChats } from "@/server/db/chats/chat-existence-reads";
import { deleteOldUnsent } from "@/server/db/sql/writes/unsent-files";
import { deleteOldEvents } from "@/server/db/sql/writes/event-writes";
import type { Database } from "@/server/db/connection/database";
import type { RecentHistories } from "@/server/db/chats/recent-histories";
import { ensureDatabaseId } from "@/server/db/settings/setting-writes";
import type { ChatNotice, Notifications } from "@/server/stream/notifications";
import { createRemovalPace } from "@/server/tools/workspace/removal-pace";
import type { Workspaces } from "@/server/tools/workspace/workspaces";

/** How often all workspaces are compared with the chats: notifications may be lost, processes crash. */
const SWEEP_MS = 15 * 60_000;
/** Gigabytes of small files on a slow disk take minutes. */
const MAX_RUN_MS = 60 * 60_000;
/** Younger workspaces are left alone: a margin only, as a new chat is safe by the order of reads below. */
const MIN_AGE_MS = 5 * 60_000;
/** Workspaces that are compared with one query. */
const BATCH_SIZE = 500;
/** Deletions that are looked up, and whose workspaces are renamed, at the same time. */
const CONCURRENT_DELETIONS = 4;

type CleanerDeps = {
  db: Database;
  histories: Pick<RecentHistories, "delete">;
  workspaces: Workspaces;
  notifications: Pick<Notifications, "subscribeDeleted">;
  newId: () => string;
  log: Logger;
  sweepMs?: number;
};

export type Cleaner = {
  /** Removes what was deleted, for a short time. */
  stop: () => Promise<void>;
};

/**
 * Removes what deleted chats leave outside the database: their workspaces and cached histories. That
 * begins when the deletion has committed; what a crash leaves is found by the next sweep, which also deletes old files that
 * no message has, old events, and temporary chats whose time has come. A workspace is renamed away at
 * once; files are removed slowly, those of one workspace at a time.
 */
export const createDeletedChatsCleaner = (deps: CleanerDeps): Cleaner => {
  const { db, histories, workspaces, notifications, log, sweepMs = SWEEP_MS } = deps;
  const controller = new AbortController();
  const limit = pLimit(CONCURRENT_DELETIONS);
  const deletions = new Set<Promise<void>>();
  const logFailure = (what: string) => (error: unknown) => {
    if (controller.signal.aborted || isUnavailable(error)) return;
    log.warn({ err: error }, `${what} failed`);
  };

  const removeFiles = () => workspaces.removeDiscarded(createRemovalPace(controller.signal));
  const removals = createPoller({
    intervalMs: sweepMs,
    run: removeFiles,
    onError: logFailure("removing the files of deleted chats"),
    maxRunMs: MAX_RUN_MS,
  });
  const discardIfDeleted = async (chatId: string): Promise<void> => {
    const [deletedId] = await findDeleted(db, [chatId]);
    if (deletedId === undefined) return;
    await workspaces.discard(deletedId);
    removals.trigger();
  };
  const startDeletion = (chatId: string): void => {
    const deletion = limit(() => discardIfDeleted(chatId))
      .catch(logFailure("removing a workspace"))
      .finally(() => deletions.delete(deletion));
    deletions.add(deletion);
  };
  const sweep = async (): Promise<void> => {
    await deleteExpiredChats(db);
    await discardOrphans(deps, controller.signal);
    removals.trigger();
    await deleteOldUnsent(db);
    await deleteOldEvents(db);
    await workspaces.measure(controller.signal);
  };
  const sweeps = createPoller({
    intervalMs: sweepMs,
    run: sweep,
    onError: logFailure("sweeping workspaces"),
    maxRunMs: MAX_RUN_MS,
  });

  const handleNotice = (notice: ChatNotice | undefined): void => {
    if (!notice) return sweeps.trigger();
    histories.delete(notice.chatId);
    startDeletion(notice.chatId);
  };
  const unsubscribe = notifications.subscribeDeleted(handleNotice);
  sweeps.trigger();

  return {
    stop: async () => {
      unsubscribe();
      controller.abort();
      await Promise.all([sweeps.stop(), removals.stop(), ...deletions]);
      // What was renamed meanwhile.
      await removeFiles().catch(logFailure("removing the files of deleted chats"));
    },
  };
};

const findDeleted = async (db: Database, chatIds: string[]): Promise<string[]> => {
  const existing = await listExistingChats(db, chatIds);
  return chatIds.filter((chatId) => !existing.has(chatId));
};

/**
 * Removes the workspaces that have no chat. A chat is committed before its workspace is created, so one
 * that is created meanwhile is either not listed or found.
 */
const discardOrphans = async (
  { db, workspaces, newId, log }: CleanerDeps,
  signal: AbortSignal,
): Promise<void> => {
  const chatIds = await workspaces.list();
  const databaseId = await ensureDatabaseId(db, newId);
  if (!(await workspaces.claim(databaseId, () => hasChatAmong(db, chatIds)))) {
    log.warn(
      { directory: workspaces.directory },
      "the workspaces are those of another database: workspaces without a chat are not removed",
    );
    return;
  }
  let removed = 0;
  for (let start = 0; start < chatIds.length; start += BATCH_SIZE) {
    for (const chatId of await findDeleted(db, chatIds.slice(start, start + BATCH_SIZE))) {
      if (signal.aborted) return;
      if (await discardOrphan({ workspaces, log }, chatId)) removed += 1;
    }
  }
  if (removed > 0) log.info({ removed }, "removed workspaces without a chat");
};

/**
 * Whether workspaces that are not marked can be those of this database: one of them has a chat. With
 * the wrong database, none has, and all would be removed. True if there are none.
 */
const hasChatAmong = async (db: Database, chatIds: readonly string[]): Promise<boolean> => {
  for (let start = 0; start < chatIds.length; start += BATCH_SIZE) {
    const existing = await listExistingChats(db, chatIds.slice(start, start + BATCH_SIZE));
    if (existing.size > 0) return true;
  }
  return chatIds.length === 0;
};

/** @returns whether it was removed; a failure does not hold up the others. */
const discardOrphan = async (
  { workspaces, log }: Pick<CleanerDeps, "workspaces" | "log">,
  chatId: string,
): Promise<boolean> => {
  try {
    const changedAt = await workspaces.changedAt(chatId);
    if (changedAt === undefined || Date.now() - changedAt < MIN_AGE_MS) return false;
    await workspaces.discard(chatId);
    return true;
  } catch (error) {
    log.warn({ err: error, chatId }, "removing a workspace failed");
    return false;
  }
};

import { hash } from "node:crypto";
import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { seesAll, toViewerKey, type Viewer } from "@/server/db/chats/viewer";
import { createRecentChanges } from "@/server/db/chats/recent-changes";
import { createSettingCaches } from "@/server/db/settings/setting-caches";
import { commitTogether } from "@/server/db/connection/commit-together";
import type { Database } from "@/server/db/connection/database";
import type { RequestId, StoredResponse } from "@/server/db/chats/rows";
import {
  deleteExpiredResponses,
  findResponse,
  storeResponse,
} from "@/server/db/sql/writes/stored-responses";

/** A request with an `Idempotency-Key`. */
export type KeyedRequest = RequestId & { body: Uint8Array };

/** A response, and the chat that it is about. */
type RanOperation = { response: StoredResponse; chatId: string | null };

const CLEANUP_INTERVAL_MS = 60 * 60_000;

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Creates the store with which a retried request gets the response of the first one. */
export const createIdempotency = (db: Database) => {
  let lastCleanupAt = Number.NEGATIVE_INFINITY;

  const deleteExpired = async (): Promise<void> => {
    const now = performance.now();
    if (now - lastCleanupAt < CLEANUP_INTERVAL_MS) return;
    lastCleanupAt = now;
    await deleteExpiredResponses(db);
  };

  return {
    /**
     * Runs an operation unless it has been carried out under this key. Its response is committed by the
     * transaction of its writes: a request that dies leaves both or neither.
     *
     * @param run runs the operation in the given context.
     * @throws {DomainError} `unprocessable` if the key was used with another body, and what `run` throws.
     *   A request that fails is not stored, as it has changed nothing.
     */
    runOnce: async <Context extends TransactionContext & Pick<ServerContext, "actor">>(
      ctx: Context,
      { body, ...id }: KeyedRequest,
      run: (ctx: Context) => Promise<RanOperation>,
    ): Promise<StoredResponse> => {
      const bodyHash = hashBody(body, ctx.actor);
      await deleteExpired();
      try {
        const { response } = await commitTogether(
          db,
          (handle) => run({ ...ctx, ...createTransactionContext(handle) }),
          async (tx, ran) => {
            const stored = { ...id, ...ran.response, bodyHash, chatId: ran.chatId };
            if (!(await storeResponse(tx, stored))) throw createConflict();
          },
        );
        return response;
      } catch (error) {
        // The first request may have made the chat refuse this one, or the connection was lost during
        // the commit: only the key shows what was carried out. If it cannot be read, that is the answer: a
        // client repeats the request after a failure of the server, but not after a refusal.
        const stored = await findResponse(db, id);
        if (!stored) throw error;
        return toReplay(stored, bodyHash);
      }
    },
  };
};

/** What one key sees of the chats, another one of the same person may not: its request is another one. */
const hashBody = (body: Uint8Array, viewer: Viewer): string => {
  const text = hash("sha256", body, "hex");
  return seesAll(viewer) ? text : hash("sha256", text + toViewerKey(viewer), "hex");
};

type TransactionContext = Pick<ServerContext, "db" | "cached" | "recent" | "claimNew">;

/**
 * Creates what an operation uses before its transaction is committed: caches of its own, as they are read in the
 * transaction, and as what it writes did not take place if it is rolled back.
 */
const createTransactionContext = (db: Database): TransactionContext => ({
  db,
  cached: createSettingCaches(db),
  recent: createRecentChanges(),
  claimNew: undefined,
});

/** Seen only if the chat of the first request is deleted at the same moment. */
const createConflict = (): DomainError =>
  new DomainError("conflict", "Another request with this Idempotency-Key was carried out.", {
    retryAfterSeconds: 1,
  });

/** @throws {DomainError} `unprocessable`. */
const toReplay = (
  { bodyHash, headers, ...response }: StoredResponse & { bodyHash: string },
  requestHash: string,
): StoredResponse => {
  if (bodyHash === requestHash) {
    return { ...response, headers: { ...headers, "idempotency-replayed": "true" } };
  }
  throw new DomainError(
    "unprocessable",
    "This Idempotency-Key was used with another body: take a new key for a new request.",
  );
};

import type { Queryable } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { RequestId, StoredResponse } from "@/server/db/chats/rows";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

// Raw, as a response expires by the clock of the database, within the statement that replaces it.

/** How long a response is stored. */
const RETENTION = "interval '24 hours'";

type NewResponse = RequestId &
  StoredResponse & {
    /** SHA-256 of the request's body, hex. */
    bodyHash: string;
    /** The chat that the response is about: deleting the chat deletes the response. */
    chatId: string | null;
  };

const STORE = nameValues<Omit<NewResponse, "headers"> & { headers: string }>({
  name: "store-response",
  text: `INSERT INTO idempotency_key AS stored
      (owner_id, route, key, body_hash, status, headers, body, chat_id)
    VALUES ($userId, $route, $key, $bodyHash, $status, $headers::jsonb, $body, $chatId::uuid)
    ON CONFLICT (owner_id, route, key) DO UPDATE SET body_hash = excluded.body_hash,
      status = excluded.status, headers = excluded.headers, body = excluded.body,
      chat_id = excluded.chat_id, created_at = excluded.created_at
    WHERE stored.created_at < now() - ${RETENTION}
    RETURNING key`,
});

/**
 * Stores the response of a request within the transaction of its writes. Waits for another transaction
 * that stores one under the same key.
 *
 * @returns false if there is a response already; the transaction must then roll back.
 */
export const storeResponse = async (
  tx: Queryable,
  { headers, ...response }: NewResponse,
): Promise<boolean> =>
  (await runNamed(tx, STORE, { ...response, headers: toJsonText(headers) })).length > 0;

const FIND = nameValues<RequestId>({
  name: "find-response",
  text: `SELECT body_hash, status, headers, body FROM idempotency_key
    WHERE owner_id = $userId AND route = $route AND key = $key
      AND created_at >= now() - ${RETENTION}`,
});

/** @returns the response of an earlier request with this key, and the hash of that request's body. */
export const findResponse = async (
  db: Queryable,
  id: RequestId,
): Promise<(StoredResponse & { bodyHash: string }) | undefined> => {
  const [row] = await runNamed<StoredResponse & { body_hash: string }, RequestId>(db, FIND, id);
  if (!row) return undefined;
  const { status, headers, body, body_hash: bodyHash } = row;
  return { status, headers, body, bodyHash };
};

const DELETE_EXPIRED = {
  name: "delete-expired-responses",
  text: `DELETE FROM idempotency_key WHERE created_at < now() - ${RETENTION}`,
};

export const deleteExpiredResponses = async (db: Queryable): Promise<void> => {
  await db.query(DELETE_EXPIRED, []);
};

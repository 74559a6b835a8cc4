import type { AdvisorConfig } from "@/contract/advisor";
import { NOTIFY_CHAT } from "./chat-writes";
import type { Queryable, Statement } from "./database";
import { fromMessageJson, type MessageJson, messagesAsJson } from "./message-json";
import { CHAT_AS_JSON, type ChatAnswer, toChatRow } from "./row-mapping";
import type { ChatRow, HistoryMessage } from "./rows";
import { SETTING, toAdvisorConfig } from "./setting-reads";

/** How long a worker that is silent keeps its chats: a crash costs at most this much waiting. */
export const LEASE_SECONDS = 30;

/** Histories up to this many messages come with the claim: most chats' do, and a turn reads at once. */
export const SHORT_HISTORY = 8;

/**
 * What the model may see of a chat that is short. The messages are those of the statement's snapshot, and a
 * chat may have changed between that and its lock; they are told only if its history has not.
 */
const HISTORY = `CASE WHEN c.last_seq <= ${SHORT_HISTORY}
    AND c.history_version = (SELECT history_version FROM chat WHERE chat.id = c.id)
  THEN ${messagesAsJson(`WHERE message.chat_id = c.id AND NOT deleted AND visibility <> 'user'`)} END`;

const CLAIM: Statement = {
  name: "claim-chats",
  text: `WITH c AS (
    UPDATE chat SET version = version + 1, attempt = attempt + 1, updated_at = now(), retry = NULL,
      status = CASE WHEN status = 'pending' THEN 'running'::chat_status ELSE status END,
      lease_owner = $1, lease_token = gen_random_uuid(), lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id IN (
      SELECT id FROM chat
      WHERE status IN ('pending', 'running', 'interrupting') AND archived_at IS NULL
        AND (status = 'pending' OR lease_expires_at IS NULL OR lease_expires_at < now())
      ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING *)
  SELECT ${CHAT_AS_JSON}, (SELECT value FROM setting WHERE key = '${SETTING.advisor}') AS advisor,
    ${HISTORY} AS history, ${NOTIFY_CHAT} FROM c ORDER BY updated_at`,
};

/** A chat with what its turn begins with. */
export type ClaimedChat = ChatRow & {
  advisorConfig: AdvisorConfig;
  /** Undefined when it is long, and to be read. */
  history: HistoryMessage[] | undefined;
};

type ClaimRecord = ChatAnswer & { advisor: unknown; history: MessageJson[] | null };

/** Takes chats that need a worker, oldest work first. Counts as an attempt of their next step. */
export const claimChats = async (
  db: Queryable,
  worker: { owner: string; limit: number },
): Promise<ClaimedChat[]> => {
  const records = await db.query<ClaimRecord>(CLAIM, [worker.owner, worker.limit]);
  return records.map(({ chat, advisor, history }) => ({
    ...toChatRow(chat),
    advisorConfig: toAdvisorConfig(advisor),
    history: history?.map(fromMessageJson),
  }));
};

const RENEW: Statement = {
  name: "renew-leases",
  text: `UPDATE chat SET lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE lease_owner = $1 AND lease_token = ANY($2::uuid[]) RETURNING id, lease_token`,
};

/** Renews all leases of a worker. @returns the tokens that still hold. */
export const renewLeases = async (
  db: Queryable,
  worker: { owner: string; leaseTokens: string[] },
): Promise<Set<string>> => {
  const rows = await db.query<{ lease_token: string }>(RENEW, [worker.owner, worker.leaseTokens]);
  return new Set(rows.map((row) => row.lease_token));
};

const STATES: Statement = {
  name: "leased-chat-states",
  text: `SELECT id, status, lease_token, history_version FROM chat WHERE id = ANY($1::uuid[])`,
};

/** Where the chats stand that a worker works on; those that are gone are missing. */
export const readLeasedStates = async (
  db: Queryable,
  chatIds: string[],
): Promise<Map<string, Pick<ChatRow, "status" | "leaseToken">>> => {
  const rows = await db.query<{
    id: string;
    status: ChatRow["status"];
    lease_token: string | null;
  }>(STATES, [chatIds]);
  return new Map(
    rows.map(({ id, status, lease_token }) => [id, { status, leaseToken: lease_token }]),
  );
};

const RELEASE: Statement = {
  name: "release-chat",
  text: `WITH c AS (
    UPDATE chat SET version = version + 1, status = 'pending', retry = NULL, attempt = greatest(attempt - 1, 0),
      lease_owner = NULL, lease_token = NULL, lease_expires_at = NULL
    WHERE id = $1::uuid AND lease_token = $2::uuid AND status = 'running' RETURNING *)
  SELECT ${CHAT_AS_JSON}, ${NOTIFY_CHAT} FROM c`,
};

/** Gives the chat to the next worker; the try that was given up does not count. */
export const releaseChat = async (
  db: Queryable,
  lease: { chatId: string; leaseToken: string },
): Promise<void> => {
  await db.query(RELEASE, [lease.chatId, lease.leaseToken]);
};

import type { AdvisorConfig } from "@/contract/advisor";
import type { Queryable, Statement } from "@/server/db/database";
import type { ChatRow, HistoryMessage } from "@/server/db/rows";
import { SETTING, toAdvisorConfig } from "@/server/db/setting-reads";
import { toChatRow } from "./chat-columns";
import {
  changeChat,
  type ChatAnswer,
  LEASE_END,
  RENEW_LEASES,
  transitionStatement,
} from "./chat-row";
import { type MessageRecord, messagesAsJson, toMessageRow } from "./message-columns";
import { runNamed } from "./named-statement";

/** Histories up to this many messages come with the claim, which saves most turns a read. */
export const SHORT_HISTORY = 8;

/** Short history inlined into the claim; null if it changed between snapshot and lock. */
const HISTORY = `CASE WHEN c.last_seq <= ${SHORT_HISTORY}
    AND c.history_version = (SELECT history_version FROM chat WHERE chat.id = c.id)
  THEN ${messagesAsJson(`WHERE message.chat_id = c.id AND NOT deleted AND visibility <> 'user'`)} END`;

const CLAIM = transitionStatement<{ owner: string; limit: number }>({
  name: "claim-chats",
  event: "acquire",
  // As an array the subquery runs once. After IN a plan may run it once per chat, and each run takes
  // other chats up to the limit, so that a worker would get more than it has room for.
  where: (guard) => `id = ANY(ARRAY(
    SELECT id FROM chat
    WHERE ${guard} AND (status = 'pending' OR lease_expires_at IS NULL OR lease_expires_at < now())
    ORDER BY updated_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
  change: {
    assign: {
      lease_owner: "$owner",
      lease_token: "gen_random_uuid()",
      lease_expires_at: LEASE_END,
    },
  },
  select: `(SELECT value FROM setting WHERE key = '${SETTING.advisor}') AS advisor, ${HISTORY} AS history`,
});

/** A chat with what its turn begins with. */
export type ClaimedChat = ChatRow & {
  advisorConfig: AdvisorConfig;
  /** Undefined when it is long and has to be read. */
  history: HistoryMessage[] | undefined;
};

type ClaimRecord = ChatAnswer & { advisor: unknown; history: MessageRecord[] | null };

/** Takes chats that need a worker, oldest work first. Counts as an attempt of their next step. */
export const claimChats = async (
  db: Queryable,
  worker: { owner: string; limit: number },
): Promise<ClaimedChat[]> => {
  const records = await runNamed<ClaimRecord, typeof worker>(db, CLAIM, worker);
  return records.map(({ chat, advisor, history }) => ({
    ...toChatRow(chat),
    advisorConfig: toAdvisorConfig(advisor),
    history: history?.map(toMessageRow),
  }));
};

/** Renews all leases of a worker. @returns the tokens that still hold. */
export const renewLeases = async (
  db: Queryable,
  worker: { owner: string; leaseTokens: string[] },
): Promise<Set<string>> => {
  const rows = await runNamed<{ lease_token: string }, typeof worker>(db, RENEW_LEASES, worker);
  return new Set(rows.map((row) => row.lease_token));
};

/** Raw: every notification of a chat that this worker holds reads it. Prisma takes four times as long. */
const STATES: Statement = {
  name: "leased-chat-states",
  text: `SELECT id, status, lease_token FROM chat WHERE id = ANY($1::uuid[])`,
};

/** Reads status and lease of the chats that a worker works on; deleted ones are missing. */
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

type Lease = { chatId: string; leaseToken: string };

const RELEASE = transitionStatement<Lease>({
  name: "release-chat",
  event: "release",
  where: (guard) => `id = $chatId::uuid AND lease_token = $leaseToken::uuid AND ${guard}`,
});

/** Releases the chat to other workers; the abandoned attempt does not count. */
export const releaseChat = async (db: Queryable, lease: Lease): Promise<void> => {
  await changeChat(db, RELEASE, lease);
};

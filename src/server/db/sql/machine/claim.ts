import type { AdvisorConfig } from "@/contract/advisor";
import type { ToolModes } from "@/contract/tool";
import type { Queryable, Statement, Transaction } from "@/server/db/connection/database";
import type { ChatRow, HistoryMessage, StoredRetry } from "@/server/db/chats/rows";
import { ACCESS_COLUMN } from "@/server/db/chats/viewer";
import { advisorSetting, TOOL_MODE_PREFIX, toToolModes } from "@/server/db/settings/setting-reads";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import {
  changeChat,
  type ChatAnswer,
  IS_AT_WORK,
  LEASE_END,
  LEASE_SECONDS,
  RENEW_LEASES,
  transitionStatement,
} from "@/server/db/sql/rows/chat-row";
import {
  type MessageRecord,
  messagesAsJson,
  toMessageRow,
} from "@/server/db/sql/rows/message-columns";
import { runNamed } from "@/server/db/sql/rows/named-statement";

/** Histories up to this many messages come with the claim, which saves most turns a read. */
export const SHORT_HISTORY = 8;

/**
 * SQL of a short history, to be read with a claim; NULL for a long one, and for one that changed between snapshot and lock.
 *
 * @param version SQL of the history's version in the snapshot.
 */
export const shortHistory = (version: string): string => `CASE WHEN c.last_seq <= ${SHORT_HISTORY}
    AND ${version} = (SELECT history_version FROM chat WHERE chat.id = c.id)
  THEN ${messagesAsJson(`WHERE message.chat_id = c.id AND NOT deleted AND visibility <> 'user'`)} END`;

/** The retry that the claim begins: the claim clears it in the row, which the snapshot still has as it was. */
const LAST_RETRY = `(SELECT retry FROM chat WHERE chat.id = c.id)`;

/** Compatible servers have the same provider and different addresses. */
const PROVIDER = `concat_ws(' ', provider, base_url)`;

/** The provider of a chat's own model while that is enabled, else of the default one. */
const selectProvider = (chat: string): string => `coalesce(
  (SELECT ${PROVIDER} FROM model WHERE model.id = ${chat}.model_id AND enabled),
  (SELECT ${PROVIDER} FROM model WHERE enabled ORDER BY is_default DESC, position, created_at, id LIMIT 1),
  '')`;

/** SQL of the owner, the provider, and both, as texts that differ. */
const selectGroups = (chat: string): string => `(SELECT ARRAY['owner ' || ${chat}.${ACCESS_COLUMN},
  'provider ' || provider, ${chat}.${ACCESS_COLUMN} || ' at ' || provider] FROM (SELECT ${selectProvider(chat)} AS provider) p)`;

/**
 * A worker without a heartbeat for this long is gone, with its exec sessions and its tasks: the chats that wait for it
 * go to others. Three of its heartbeats may fail, and its leases have ended by then, too.
 */
const WORKER_SILENCE_SECONDS = LEASE_SECONDS;

/** SQL that is true when the worker that `owner` names is gone. */
export const isGone = (owner: string): string => `NOT EXISTS (SELECT FROM worker
  WHERE worker.owner = ${owner} AND seen_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS}))`;

/** SQL that is true for a row of `chat` whose holder is gone. */
export const WITHOUT_HOLDER = isGone("session_owner");

/** Which chats a worker may claim. */
export type ClaimRoom = {
  /** The worker. */
  owner: string;
  limit: number;
  /** The groups from which no chat is taken. */
  full: readonly string[];
};

/**
 * Runs a statement that begins turns, at most `most`, and claims their chats as far as the worker has room for them. The turns
 * begin at once, without a statement that looks for them.
 *
 * Rejects as the statement does.
 */
export type ClaimNew = (
  most: number,
  run: (room: ClaimRoom) => Promise<ClaimedChat[]>,
) => Promise<void>;

/** Whether a chat may be claimed of which is not known what it shares with others: no group may be full. */
export const hasRoom = ({ limit, full }: ClaimRoom): boolean => limit > 0 && full.length === 0;

/** Column with the modes of tools, to be read by `toToolModes`. */
export const TOOL_MODES_COLUMN = `(SELECT json_object_agg(key, value) FROM setting
  WHERE starts_with(key, '${TOOL_MODE_PREFIX}')) AS tool_modes`;

export type ToolModesAnswer = { tool_modes: Record<string, unknown> | null };

/** SQL that is true for a row of `chat` at work that no worker holds, and whose time has come. */
export const IS_FREE = `(lease_expires_at IS NULL OR lease_expires_at < now())
      AND (not_before IS NULL OR not_before <= now()) AND NOT agent_queued`;

/** SQL that is true for a row of `chat` whose exec sessions no other worker has. */
export const IS_WITHOUT_OTHER_HOLDER = `(session_owner IS NULL OR session_owner = $owner OR ${WITHOUT_HOLDER})`;

/** What a claim assigns. */
export const TAKE_LEASE = {
  lease_owner: "$owner",
  lease_token: "gen_random_uuid()",
  lease_expires_at: LEASE_END,
  session_owner: "CASE WHEN session_owner = $owner THEN session_owner END",
};

/** Columns of what a turn begins with, besides the history and the retry. */
export const TURN_COLUMNS = `(SELECT value FROM setting WHERE key = '${advisorSetting.key}') AS advisor, ${TOOL_MODES_COLUMN},
    ${selectGroups("c")} AS groups`;

/** Builds the claim of the chats for which a condition is true. */
const claimStatement = <Values extends ClaimRoom>(name: string, among: string) =>
  transitionStatement<Values>({
    name,
    event: "acquire",
    // As an array the subquery runs once. After IN a plan may run it once per chat, and each run takes
    // other chats up to the limit, so that a worker would get more than it has room for.
    where: (guard) => `id = ANY(ARRAY(
    SELECT id FROM chat
    WHERE ${among} AND ${guard}
      AND ${IS_FREE}
      AND ${IS_WITHOUT_OTHER_HOLDER}
      AND ($full::text[] = '{}' OR status = 'interrupting' OR NOT ${selectGroups("chat")} && $full::text[])
    ORDER BY updated_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
    change: { assign: TAKE_LEASE },
    select: `${TURN_COLUMNS}, ${shortHistory("c.history_version")} AS history, ${LAST_RETRY} AS last_retry`,
  });

// The statuses are those of the guard, whose alternatives match the partial index by bitmaps only: those read each dead
// entry, and there are two for each turn since the last vacuum.
const CLAIM = claimStatement<ClaimRoom>("claim-chats", IS_AT_WORK);

type NewChats = { chatIds: readonly string[] };

const CLAIM_NEW = claimStatement<ClaimRoom & NewChats>(
  "claim-new-chats",
  "id = ANY($chatIds::uuid[])",
);

/** What chats share that may keep each other waiting: the owner, the provider, and both. */
export type SlotGroups = readonly [owner: string, provider: string, both: string];

/** A chat with what its turn begins with. */
export type ClaimedChat = ChatRow & {
  advisorConfig: AdvisorConfig;
  toolModes: ToolModes;
  /** Undefined when it is long and has to be read. */
  history: HistoryMessage[] | undefined;
  /** The retry that was due, or that an earlier worker waited for. */
  lastRetry: StoredRetry | null;
  groups: SlotGroups;
};

/** A record of `TURN_COLUMNS`, a history and a retry. */
export type ClaimRecord = ChatAnswer &
  ToolModesAnswer & {
    advisor: unknown;
    history: MessageRecord[] | null;
    last_retry: StoredRetry | null;
    groups: SlotGroups;
  };

/**
 * Takes chats that need a worker, oldest work first. Counts as an attempt of their next step.
 *
 * @param worker a chat of a group that is `full` is taken only if it was interrupted.
 */
export const claimChats = async (
  db: Queryable,
  { full = [], ...worker }: Omit<ClaimRoom, "full"> & Partial<Pick<ClaimRoom, "full">>,
): Promise<ClaimedChat[]> => {
  const records = await runNamed<ClaimRecord, ClaimRoom>(db, CLAIM, { ...worker, full });
  return records.map(toClaimedChat);
};

/** Takes chats that the transaction has inserted, so that their turns begin without a search for them. */
export const claimNewChats = async (
  tx: Transaction,
  claim: ClaimRoom & NewChats,
): Promise<ClaimedChat[]> =>
  (await runNamed<ClaimRecord, typeof claim>(tx, CLAIM_NEW, claim)).map(toClaimedChat);

export const toClaimedChat = (record: ClaimRecord): ClaimedChat => ({
  ...toChatRow(record.chat),
  advisorConfig: advisorSetting.parse(record.advisor),
  toolModes: toToolModes(record.tool_modes ?? {}),
  history: record.history?.map(toMessageRow),
  lastRetry: record.last_retry,
  groups: record.groups,
});

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

/** Raw, as a status that Prisma binds is not known to be one of the index. */
const ORPHANS: Statement = {
  name: "orphaned-chats",
  text: `SELECT id AS "chatId", lease_token AS "leaseToken" FROM chat
    WHERE ${IS_AT_WORK} AND status = 'running' AND lease_owner = $1 AND lease_token <> ALL($2::uuid[])`,
};

/** Lists running chats that are leased to a worker with other tokens than those that it knows. */
export const listOrphanedChats = (
  db: Queryable,
  { owner, leaseTokens }: { owner: string; leaseTokens: readonly string[] },
): Promise<Lease[]> => db.query<Lease>(ORPHANS, [owner, leaseTokens]);

const RELEASE = transitionStatement<Lease>({
  name: "release-chat",
  event: "release",
  where: (guard) => `id = $chatId::uuid AND lease_token = $leaseToken::uuid AND ${guard}`,
});

/** Releases the chat to other workers; the abandoned attempt does not count. */
export const releaseChat = async (db: Queryable, lease: Lease): Promise<void> => {
  await changeChat(db, RELEASE, lease);
};

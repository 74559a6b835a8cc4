import type { Queryable, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { toChatRow } from "@/server/db/sql/rows/chat-columns";
import { CHAT_AS_JSON, type ChatAnswer } from "@/server/db/sql/rows/chat-row";
import { lastAssistant } from "@/server/db/sql/rows/message-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

// Raw, because deadlines pass by the clock of the database.

type Search = { limit: number; except: readonly string[] };

/** SQL that is true for a row of `chat` with a call, or an agent, whose deadline has passed. */
export const HAS_EXPIRED_ACTION =
  "action_deadline_at < now() AND status IN ('requires_action', 'awaiting_agents') AND archived_at IS NULL";

const LIST = nameValues<Search>({
  name: "expired-actions",
  text: `SELECT id FROM chat
    WHERE ${HAS_EXPIRED_ACTION} AND id <> ALL($except::uuid[])
    ORDER BY action_deadline_at LIMIT $limit`,
});

/**
 * Lists chats that wait for a client or for agents and whose deadline has passed, the oldest deadline first. Omits
 * archived ones: no transition leads to such a chat, and only `reconcile` accepts one.
 */
export const listExpiredActions = async (db: Queryable, search: Search): Promise<string[]> =>
  (await runNamed<{ id: string }, Search>(db, LIST, search)).map(({ id }) => id);

const LOCK = nameValues<{ chatId: string }>({
  name: "lock-expired-chat",
  text: `SELECT ${CHAT_AS_JSON} FROM chat c WHERE id = $chatId::uuid AND action_deadline_at < now() FOR UPDATE`,
});

/** Locks a chat until the transaction ends. @returns undefined when its deadline has not passed, or it is deleted. */
export const lockExpiredChat = async (
  tx: Transaction,
  chatId: string,
): Promise<ChatRow | undefined> => {
  const [record] = await runNamed<ChatAnswer, { chatId: string }>(tx, LOCK, { chatId });
  return record && toChatRow(record.chat);
};

const WAITING = nameValues<{ chatId: string }>({
  name: "waiting-calls",
  text: `SELECT tool_call_id AS "toolCallId", coalesce(deadline_at <= now(), true) AS "isDue" FROM part
    WHERE message_id = ${lastAssistant("$chatId")} AND state IN ('awaiting_result', 'awaiting_approval')`,
});

/** Lists the calls that a locked chat waits for, and whether their deadlines have passed. */
export const listWaitingCalls = (
  tx: Transaction,
  chatId: string,
): Promise<{ toolCallId: string; isDue: boolean }[]> => runNamed(tx, WAITING, { chatId });

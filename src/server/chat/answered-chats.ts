import { DomainError } from "@/contract/domain-error";
import type { ErrorCode } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import { findParent, listAgentIds } from "@/server/db/chats/chat-existence-reads";
import { hasHadCalls } from "@/server/db/chats/call-reads";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { lockWritableChat } from "@/server/db/sql/machine/row-locks";
import { unknownChat } from "@/server/machine/lock-chat";

/** An answer to a call of the chat of the request, or of one of its agents. */
export type Answer = { chatId?: string | undefined; toolCallId: string };

/** The name of the list in the request, for pointers. */
type List = "results" | "decisions";

/** A chat that a request answers, with its answers and their places in the request. */
export type AnsweredChat<Entry extends Answer> = {
  chatId: string;
  isAgent: boolean;
  list: List;
  entries: (Entry & { index: number })[];
};

/**
 * Sorts the answers of a request by the chats that they belong to, in the order in which the request names them.
 *
 * @throws {DomainError} `not_found` for an unknown chat, or an id that is no agent of the chat; `invalid` for
 *   an agent that is to take answers for another chat.
 */
export const findAnsweredChats = async <Entry extends Answer>(
  ctx: ServerContext,
  { chatId, list, entries }: { chatId: string; list: List; entries: readonly Entry[] },
): Promise<AnsweredChat<Entry>[]> => {
  const own = chatId.toLowerCase();
  const chats = new Map<string, AnsweredChat<Entry>>();
  for (const [index, entry] of entries.entries()) {
    const id = (entry.chatId ?? chatId).toLowerCase();
    const chat = chats.get(id) ?? { chatId: id, isAgent: id !== own, list, entries: [] };
    chats.set(id, chat);
    chat.entries.push({ ...entry, index });
  }
  const answered = [...chats.values()];
  const agents = answered.filter(({ isAgent }) => isAgent);
  if (agents.length > 0) await checkAgents(ctx, chatId, agents);
  return answered;
};

const checkAgents = async (
  { db, actor: viewer }: ServerContext,
  chatId: string,
  agents: readonly AnsweredChat<Answer>[],
): Promise<void> => {
  const chat = await findParent(db, { chatId, viewer });
  if (!chat) throw unknownChat(chatId);
  if (chat.parentChatId !== null) {
    const message = "must be the agent's own id, as an agent has no agents";
    const errors = agents.flatMap((each) => pointAt(each, message));
    throw new DomainError("invalid", "An agent has no agents: send each answer to its own chat.", {
      errors,
    });
  }
  const known = await listAgentIds(db, { chatId, viewer, ids: agents.map((each) => each.chatId) });
  checkEach(
    agents.filter((each) => !known.has(each.chatId)),
    (each) => {
      throw unknownAnswered(each);
    },
  );
};

const pointAt = ({ entries, list }: AnsweredChat<Answer>, message: string) =>
  entries.map(({ index }) => ({ pointer: `/${list}/${index}/chat_id`, message }));

/** Also for an agent that was deleted. An id of another chat is treated as unknown. */
export const unknownAnswered = (chat: AnsweredChat<Answer>): DomainError =>
  chat.isAgent
    ? new DomainError("not_found", `The chat has no agent "${chat.chatId}".`, {
        errors: pointAt(chat, "is no agent of the chat"),
      })
    : unknownChat(chat.chatId);

/**
 * Checks each chat of a request, so that a refusal names all that are refused.
 *
 * @param check throws a DomainError for a chat that refuses its answers.
 * @throws {DomainError} as the one chat does; of several, with the code that comes first in `PRECEDENCE`.
 */
export const checkEach = <Chat extends AnsweredChat<Answer>>(
  chats: readonly Chat[],
  check: (chat: Chat) => void,
): void => {
  const refusals = chats.flatMap((chat): [Chat, DomainError][] => {
    try {
      check(chat);
      return [];
    } catch (error) {
      if (error instanceof DomainError) return [[chat, error]];
      throw error;
    }
  });
  refuseChats(refusals, chats.length);
};

/** What a client has to mend first, as in a request for one chat. */
const PRECEDENCE: readonly ErrorCode[] = ["not_found", "forbidden", "conflict", "invalid"];

const refuseChats = (
  refusals: readonly [AnsweredChat<Answer>, DomainError][],
  chatCount: number,
): void => {
  const errors = refusals.map(([, error]) => error);
  const [first] = errors.toSorted(
    (one, other) => PRECEDENCE.indexOf(one.code) - PRECEDENCE.indexOf(other.code),
  );
  if (!first) return;
  if (chatCount === 1) throw first;
  const reasons = refusals.map(([{ chatId }, { message }]) => `Chat "${chatId}": ${message}`);
  throw new DomainError(first.code, ["Nothing was changed.", ...reasons].join(" "), {
    errors: refusals.flatMap(([{ entries, list }, { errors: fields, message }]) =>
      fields.length > 0
        ? fields
        : entries.map(({ index }) => ({ pointer: `/${list}/${index}`, message })),
    ),
    shouldRetry: errors.every(({ shouldRetry }) => shouldRetry),
  });
};

/**
 * Locks the chats of a request in the order of all locks of a family: the root chat first, then its agents by their
 * ids.
 *
 * @returns the locked chats by their ids; omits deleted ones.
 */
export const lockAnsweredChats = async (
  tx: Transaction,
  { actor: viewer }: ServerContext,
  chats: readonly AnsweredChat<Answer>[],
): Promise<ReadonlyMap<string, ChatRow>> => {
  const ids = chats.filter(({ isAgent }) => isAgent).map(({ chatId }) => chatId);
  const root = chats.filter(({ isAgent }) => !isAgent).map(({ chatId }) => chatId);
  const locked = new Map<string, ChatRow>();
  for (const chatId of [...root, ...ids.toSorted()]) {
    const chat = await lockWritableChat(tx, { chatId, viewer });
    if (chat) locked.set(chatId, chat);
  }
  return locked;
};

/** Whether a chat has ever waited for an answer, which a refusal of one says. A chat that waits need not be asked. */
export const findHadCalls = async (db: Queryable, { id, status }: ChatRow): Promise<boolean> =>
  status === "requires_action" || hasHadCalls(db, id);

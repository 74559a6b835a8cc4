import type { ChatChanges, ChatWithCalls } from "@/server/db/sql/reads/chat-reads";
import type { ChatRow, MessageRow, OpenCallRow } from "./rows";
import { canRead, type Viewer } from "./viewer";

/** A transition as it was committed: the chat after it, and the messages that it wrote. */
export type RecentChange = { chat: ChatRow; messages: MessageRow[] };

/** Most transitions per chat; fewer come between two reads of a watcher. */
const MAX_CHANGES = 8;

export type RecentChanges = ReturnType<typeof createRecentChanges>;

/**
 * Caches what this process has just committed of chats that have watchers here, so that the watchers
 * need not read it again. The cache lacks transitions of other processes and of most verbs; a decision
 * that is based on it is valid only if the write proves the version.
 */
export const createRecentChanges = () => {
  const watched = new Map<string, { watchers: number; changes: RecentChange[] }>();
  return {
    /** @returns a function that stops caching the chat. */
    watch: (chatId: string): (() => void) => {
      const entry = watched.get(chatId) ?? { watchers: 0, changes: [] };
      entry.watchers += 1;
      watched.set(chatId, entry);
      return () => {
        entry.watchers -= 1;
        if (entry.watchers === 0) watched.delete(chatId);
      };
    },
    /** Adds a transition after its commit, unless it is here. */
    add: (change: RecentChange): void => {
      const changes = watched.get(change.chat.id)?.changes;
      if (!changes || changes.at(-1)?.chat.version === change.chat.version) return;
      changes.push(change);
      if (changes.length > MAX_CHANGES) changes.shift();
    },
    /** A chat that the last known transition has parked, if the viewer may read it. */
    parked: (chatId: string, viewer: Viewer): ChatWithCalls | undefined => {
      const { chat, messages } = watched.get(chatId)?.changes.at(-1) ?? {};
      if (chat?.status !== "requires_action" || !canRead(viewer, chat)) return undefined;
      const openCalls = findOpenCalls(chat, messages?.at(-1));
      return openCalls && { chat, openCalls };
    },
    /**
     * Returns the same as `readChatChanges`, if every transition since is in the cache.
     *
     * @param after the chat version that is known.
     * @param atLeast the version that the answer must have reached.
     * @returns undefined when not every transition between is known.
     */
    since: (
      chatId: string,
      { viewer, after, atLeast }: { viewer: Viewer; after: number; atLeast: number },
    ): ChatChanges | undefined => {
      const changes = (watched.get(chatId)?.changes ?? []).filter(
        ({ chat }) => chat.version > after,
      );
      const chat = changes.at(-1)?.chat;
      // Every transition raises the version by one, so that one that is missing shows as a gap.
      const isWhole = changes.every((change, index) => change.chat.version === after + index + 1);
      if (!chat || !isWhole || chat.version < atLeast || hasMore(chat)) return undefined;
      if (!canRead(viewer, chat)) return undefined;
      const byId = new Map(changes.flatMap(({ messages }) => messages.map((one) => [one.id, one])));
      const messages = [...byId.values()].sort((one, other) => one.seq - other.seq);
      const openCalls =
        chat.status === "requires_action" ? findOpenCalls(chat, messages.at(-1)) : [];
      return openCalls && { chat, messages, queue: [], openCalls, childActions: [], tasks: [] };
    },
  };
};

/** Tasks are not in the cache, and neither is what agents wait for, the queue, and what alternatives messages have. */
const hasMore = ({ taskVersion, queuedCount, alternativeCount }: ChatRow): boolean =>
  taskVersion !== 0 || queuedCount > 0 || alternativeCount > 0;

/**
 * The calls of the newest answer, which no program has claimed yet: a claim raises the version and is not in the cache.
 * Undefined when they are not known, as the labels of the root chat of an agent are not.
 */
const findOpenCalls = (
  { parentChatId, labels }: ChatRow,
  message: MessageRow | undefined,
): OpenCallRow[] | undefined => {
  const calls = message?.parts.filter((part) => part.type === "tool_call");
  const open = calls?.filter((call) => call.output === undefined && call.kind !== "provider");
  if (!message || !open?.length || parentChatId !== null) return undefined;
  return open.map((call) => ({ ...call, messageId: message.id, claim: null, labels }));
};

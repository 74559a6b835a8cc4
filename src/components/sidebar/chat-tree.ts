import type { ChatSummary } from "@/contract/chat";

/** A chat of the list and its child chats. */
export type ChatNode = {
  chat: ChatSummary;
  children: ChatNode[];
  /** The title of the parent, for a child chat that is listed apart from it. */
  parentTitle?: string | undefined;
};

/** Whether an agent is listed without the chat that has started it, which is then further down the list. */
export const isOrphan = ({ chat }: ChatNode): boolean => chat.parent_chat_id !== null;

/** Nests child chats under their parents in the list's order; without its parent a child is a root. */
export const buildChatTree = (chats: readonly ChatSummary[]): ChatNode[] => {
  const nodes = new Map(chats.map((chat) => [chat.id, { chat, children: [] as ChatNode[] }]));
  const roots: ChatNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.chat.parent_chat_id;
    (parent === null ? roots : (nodes.get(parent)?.children ?? roots)).push(node);
  }
  return roots;
};

/** Adds chats to a list that may have some of them already, in a newer or an older version. */
export const mergeChats = (
  chats: readonly ChatSummary[],
  added: readonly ChatSummary[],
): ChatSummary[] => {
  const merged = new Map(chats.map((chat) => [chat.id, chat]));
  for (const chat of added) {
    const known = merged.get(chat.id);
    if (!known || known.version < chat.version) merged.set(chat.id, chat);
  }
  return [...merged.values()];
};

/** Separates the chats that wait for the person, each with its child chats, from all others. */
export const splitWaiting = (
  nodes: readonly ChatNode[],
  parentTitle?: string,
): { waiting: ChatNode[]; others: ChatNode[] } => {
  const waiting: ChatNode[] = [];
  const others: ChatNode[] = [];
  for (const { chat, children } of nodes) {
    const inner = splitWaiting(children, chat.title);
    if (chat.needs_you) {
      waiting.push({ chat, children: inner.others, parentTitle });
    } else others.push({ chat, children: inner.others });
    waiting.push(...inner.waiting);
  }
  return { waiting, others };
};

/** Orders waiting chats by how soon their deadline is; without one, a chat comes last. */
export const sortByDeadline = (nodes: readonly ChatNode[]): ChatNode[] =>
  nodes.toSorted((node, other) => toDeadline(node) - toDeadline(other));

const toDeadline = ({ chat }: ChatNode): number =>
  chat.action_deadline_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(chat.action_deadline_at);

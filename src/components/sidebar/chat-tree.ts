import type { ChatSummary } from "@/contract/chat";

/** A chat of the list; unread if it has changed since the person last opened it. */
export type SidebarChat = ChatSummary & { isUnread: boolean };

/** A chat of the list and its child chats. */
export type ChatNode = { chat: SidebarChat; children: ChatNode[] };

/** Nests child chats under their parents in the list's order; without its parent a child is a root. */
export const buildChatTree = (chats: readonly SidebarChat[]): ChatNode[] => {
  const nodes = new Map(chats.map((chat) => [chat.id, { chat, children: [] as ChatNode[] }]));
  const roots: ChatNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.chat.parent_chat_id;
    (parent === null ? roots : (nodes.get(parent)?.children ?? roots)).push(node);
  }
  return roots;
};

import type { SidebarChat } from "./sidebar-chat";

/** A chat of the list and the chats that it spawned. */
export type ChatNode = { chat: SidebarChat; children: ChatNode[] };

/** Nests children under parents, in the list's order; a child whose parent is not listed stands alone. */
export const chatTree = (chats: readonly SidebarChat[]): ChatNode[] => {
  const nodes = new Map(chats.map((chat) => [chat.id, { chat, children: [] as ChatNode[] }]));
  const roots: ChatNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.chat.parent_chat_id;
    (parent === null ? roots : (nodes.get(parent)?.children ?? roots)).push(node);
  }
  return roots;
};

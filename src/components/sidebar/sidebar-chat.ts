import type { ChatSummary } from "@/contract/chat";

/** A row of the list: the chat, and whether something came in that its reader has not seen. */
export type SidebarChat = ChatSummary & { unread: boolean };

import type { ChatSummary } from "@/contract/chat";

/** A chat of the list; unread if it has changed since the person last opened it. */
export type SidebarChat = ChatSummary & { isUnread: boolean };

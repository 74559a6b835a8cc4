import type { ChatSummary } from "@/contract/chat";

/** The current time in these stories, in milliseconds. */
export const NOW = Date.parse("2026-03-12T12:00:00.000Z");

export const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;

export const sidebarChat = (
  n: number,
  title: string,
  overrides: Partial<ChatSummary> = {},
): ChatSummary => ({
  id: id(n),
  title,
  status: "waiting",
  archived: false,
  pinned: false,
  labels: {},
  parent_chat_id: null,
  root_chat_id: id(n),
  forked_from: null,
  model_id: null,
  version: 1,
  queued_count: 0,
  action_deadline_at: null,
  created_at: "2026-03-12T09:00:00.000Z",
  updated_at: new Date(NOW - n * n * 7 * 60_000).toISOString(),
  needs_you: overrides.status === "requires_action",
  unread: false,
  ...overrides,
});

export const CHATS: ChatSummary[] = [
  sidebarChat(1, "Tides around Oban", { status: "running" }),
  sidebarChat(2, "Harbour dues, which form?", { status: "requires_action", unread: true }),
  sidebarChat(3, "Sail inventory", { pinned: true }),
  sidebarChat(4, "Weather window for the crossing", { unread: true }),
  sidebarChat(5, "Look up mooring rules", { parent_chat_id: id(1), root_chat_id: id(1) }),
  sidebarChat(6, "Engine service log", { status: "error" }),
  sidebarChat(7, "A very long title that certainly does not fit into the width of a sidebar"),
  sidebarChat(14, "Provisioning list", { status: "interrupting" }),
  sidebarChat(40, "Insurance renewal"),
];

import type { ApiKeyScope } from "@/contract/api-key";

export const SCOPE_NAME: Record<ApiKeyScope, string> = {
  read: "Read",
  chat: "Chat",
  admin: "Admin",
};

/** What each scope adds to the one before it. */
export const SCOPE_MEANING: Record<ApiKeyScope, string> = {
  read: "Sees your chats and their results, and changes nothing.",
  chat: "Also starts and changes chats, and answers their tools.",
  admin: "Also changes settings, and makes and revokes API keys.",
};

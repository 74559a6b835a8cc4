import type { ApiKeyScope, ApiKeyScopeSet } from "@/contract/api-key";

export const SCOPE_NAME: Record<ApiKeyScope, string> = {
  read: "Read",
  chat: "Chat",
  "calls:answer": "Answer calls",
  "approvals:decide": "Decide on approvals",
  "toolsets:write": "Declare toolsets",
  admin: "Admin",
};

export const SET_NAME: Record<ApiKeyScopeSet, string> = {
  read: SCOPE_NAME.read,
  chat: SCOPE_NAME.chat,
  admin: SCOPE_NAME.admin,
};

/** What each set of scopes adds to the one before it. */
export const SET_MEANING: Record<ApiKeyScopeSet, string> = {
  read: "Sees your chats and their results, and changes nothing.",
  chat: "Also starts and changes chats, and answers their tools.",
  admin: "Also changes settings, and makes and revokes API keys.",
};

import type { ApiKeyScope } from "@/contract/api-key";

export const SCOPE_NAME: Record<ApiKeyScope, string> = {
  read: "Read",
  chat: "Chat",
  "calls:answer": "Answer calls",
  "approvals:decide": "Decide on approvals",
  "toolsets:write": "Declare toolsets",
  admin: "Admin",
};

export const SCOPE_MEANING: Record<ApiKeyScope, string> = {
  read: "Sees your chats and their results.",
  chat: "Also starts and changes chats. Includes Read.",
  "calls:answer": "Answers the calls of tools, and sees no messages.",
  "approvals:decide": "Approves and rejects calls.",
  "toolsets:write": "Declares the tools that programs run for every chat.",
  admin: "All of this, and the settings and API keys.",
};

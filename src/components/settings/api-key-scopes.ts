import type { ApiKeyScope } from "@/contract/api-key";

/** How the scopes are named, and what each adds to the one before it. */
export const SCOPE_TEXT: Record<ApiKeyScope, { label: string; meaning: string }> = {
  read: { label: "Read", meaning: "Sees your chats and their results, and changes nothing." },
  chat: { label: "Chat", meaning: "Also starts and changes chats, and answers their tools." },
  admin: { label: "Admin", meaning: "Also changes settings, and makes and revokes API keys." },
};

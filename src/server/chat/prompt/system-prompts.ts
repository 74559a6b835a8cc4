import type { ChatRow } from "@/server/db/rows";

/** The first system message of every prompt. */
const DEPLOYMENT_PROMPT = `You answer in a chat. Write GitHub-flavoured Markdown, and keep to the user's language.
Use the offered tools when they help; never say that a tool did something unless its result says so. A result that is an error, cancelled, timed out or denied means that the call did not succeed.`;

/** Creates the system messages of a chat, in prompt order. */
export const createSystemPrompts = (chat: Pick<ChatRow, "systemPrompt">): string[] => [
  DEPLOYMENT_PROMPT,
  chat.systemPrompt ?? "",
];

import type { Group } from "@/contract/group";
import type { ChatRow } from "@/server/db/chats/rows";

/** The first system message of every prompt. */
const DEPLOYMENT_PROMPT = `You answer in a chat. Write GitHub-flavoured Markdown, and keep to the user's language.
Use the offered tools when they help; never say that a tool did something unless its result says so. A result that is an error, cancelled, timed out or denied means that the call did not succeed.`;

/**
 * Creates the system messages of a chat, in prompt order: what is more specific comes later. They follow from what is
 * chosen now, so that nothing has to be restored when a group is removed.
 */
export const createSystemPrompts = (
  chat: Pick<ChatRow, "systemPrompt">,
  groups: readonly Group[],
): string[] => [
  groups.every((group) => group.include_default_prompt) ? DEPLOYMENT_PROMPT : "",
  ...groups.map(({ prompt }) => prompt),
  chat.systemPrompt ?? "",
];

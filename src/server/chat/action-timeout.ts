import type { ChatRow, ToolCallPartRow } from "@/server/db/rows";

/**
 * Computes the time until open calls expire, the shortest of the chat's and the tools' timeouts.
 *
 * @returns seconds.
 */
export const getActionTimeout = (chat: ChatRow, open: readonly ToolCallPartRow[]): number => {
  const names = new Set(open.map(({ toolName }) => toolName));
  const own = chat.dynamicTools
    .filter(({ name }) => names.has(name))
    .flatMap(({ timeout_seconds }) => timeout_seconds ?? []);
  return Math.min(chat.actionTimeoutSeconds, ...own);
};

import { parseExactJson } from "@/lib/exact-json";
import { localStore } from "./local-store";

const toKey = (chatId: string): string => `parley.questions.${chatId}`;

/**
 * Creates access to what a person has entered into the card of a call and not sent; it survives a reload. A chat
 * waits for one answer at a time, so it has one draft: that of another call replaces it.
 */
export const createCallDrafts = (chatId: string) => ({
  /** @returns undefined if there is none; not validated, as another version of the page may have stored it. */
  read: (toolCallId: string): unknown => {
    const stored = parse(localStore.get(toKey(chatId)));
    return stored?.toolCallId === toolCallId ? stored.draft : undefined;
  },
  write: (toolCallId: string, draft: unknown): void =>
    localStore.set(toKey(chatId), JSON.stringify({ toolCallId, draft })),
});

const parse = (stored: string | null): { toolCallId?: unknown; draft?: unknown } | undefined => {
  try {
    const value: unknown = parseExactJson(stored ?? "null");
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Not JSON: a write was cut off.
    return undefined;
  }
};

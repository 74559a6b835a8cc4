import { useMemo } from "react";
import type { RequiredAction } from "@/contract/chat";
import { parseExactJson } from "@/lib/exact-json";
import { localStore, useStoredValue } from "./local-store";

type DraftsByCall<Draft> = { [toolCallId: string]: Draft };
type DraftsByMessage<Draft> = { [messageId: string]: DraftsByCall<Draft> };

type AnswerDrafts<Draft> = {
  /** The drafts for the open action. */
  drafts: DraftsByCall<Draft>;
  /** The drafts for actions that are not open, oldest first. */
  unsent: [messageId: string, drafts: DraftsByCall<Draft>][];
  setDraft: (toolCallId: string, draft: Draft) => void;
  clear: (messageId: string) => void;
};

const toAnswersKey = (chatId: string): string => `parley.answers.${chatId}`;

/** Returns whether the chat has stored drafts, without reading them. */
export const useHasAnswerDrafts = (chatId: string): boolean =>
  useStoredValue(toAnswersKey(chatId))[0] !== null;

type ReadDrafts<Draft> = (stored: unknown) => DraftsByMessage<Draft> | undefined;

/**
 * Stores unsent answers to the actions of a chat, by message and tool call; they survive a reload and are
 * shared by all tabs. Drafts for actions that were closed stay until the person discards them.
 *
 * @param action the open one.
 * @param read validates stored drafts, which another version of the page may have written.
 */
export const useAnswerDrafts = <Draft>(
  chatId: string,
  action: RequiredAction | undefined,
  read: ReadDrafts<Draft>,
): AnswerDrafts<Draft> => {
  const key = toAnswersKey(chatId);
  const [stored, setStored] = useStoredValue(key);
  const messageId = action?.message_id ?? "";
  const byMessage = useMemo(() => parseDrafts(stored, read), [stored, read]);
  /** Another tab may have changed the drafts since this one rendered. */
  const replace = (id: string, drafts: DraftsByCall<Draft> | undefined): void => {
    const others = Object.entries(parseDrafts(localStore.get(key), read)).filter(
      ([other]) => other !== id,
    );
    const next: typeof others = drafts === undefined ? others : [...others, [id, drafts]];
    setStored(next.length === 0 ? null : JSON.stringify(Object.fromEntries(next)));
  };
  return {
    drafts: byMessage[messageId] ?? {},
    unsent: Object.entries(byMessage).filter(([id]) => id !== messageId),
    setDraft: (toolCallId, draft) =>
      replace(messageId, { ...byMessage[messageId], [toolCallId]: draft }),
    clear: (id) => replace(id, undefined),
  };
};

const parseDrafts = <Draft>(
  stored: string | null,
  read: ReadDrafts<Draft>,
): DraftsByMessage<Draft> => {
  if (stored === null) return {};
  try {
    return read(parseExactJson(stored)) ?? {};
  } catch {
    // Not JSON: a write was cut off.
    return {};
  }
};

import { useMemo } from "react";
import { z } from "zod";
import type { RequiredAction } from "@/contract/chat";
import { localStore, useStoredValue } from "./local-store";

type AnswerDrafts<Draft> = {
  drafts: { [toolCallId: string]: Draft };
  setDraft: (toolCallId: string, draft: Draft) => void;
  clear: () => void;
};

const toAnswersKey = (chatId: string): string => `parley.answers.${chatId}`;

export const deleteAnswerDrafts = (chatId: string): void =>
  localStore.set(toAnswersKey(chatId), null);

/**
 * Stores unsent answers of a chat by tool call; they survive a reload and are shared by all tabs.
 *
 * @param schema validates stored drafts, which another version of the page may have written.
 */
export const useAnswerDrafts = <Draft>(
  chatId: string,
  action: RequiredAction | null,
  schema: z.ZodType<Draft>,
): AnswerDrafts<Draft> => {
  const [stored, setStored] = useStoredValue(toAnswersKey(chatId));
  const drafts = useMemo(() => parseDrafts(stored, schema), [stored, schema]);
  return {
    drafts,
    setDraft: (toolCallId, draft) => {
      // Drafts of calls that are no longer open are dropped.
      const openIds = action?.tool_calls.map((call) => call.tool_call_id) ?? [];
      const openDrafts = Object.entries(drafts).filter(([id]) => openIds.includes(id));
      setStored(JSON.stringify({ ...Object.fromEntries(openDrafts), [toolCallId]: draft }));
    },
    clear: () => setStored(null),
  };
};

const parseDrafts = <Draft>(stored: string | null, schema: z.ZodType<Draft>) => {
  if (stored === null) return {};
  try {
    return z.record(z.string(), schema).safeParse(JSON.parse(stored)).data ?? {};
  } catch {
    // Not JSON: a write was cut off.
    return {};
  }
};

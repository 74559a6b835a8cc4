import { useMemo } from "react";
import { z } from "zod";
import type { RequiredAction } from "@/contract/chat";
import { useStored } from "./use-stored";

type AnswerDrafts<Draft> = {
  drafts: { [toolCallId: string]: Draft };
  setDraft: (toolCallId: string, draft: Draft) => void;
  clear: () => void;
};

/**
 * Answers being written in a chat, by tool call; they survive a reload and are the same in all tabs.
 *
 * @param schema what a draft is; what another version of the page kept may be something else.
 */
export const useAnswerDrafts = <Draft>(
  chatId: string,
  action: RequiredAction | null,
  schema: z.ZodType<Draft>,
): AnswerDrafts<Draft> => {
  const [stored, store] = useStored(`parley.answers.${chatId}`);
  const drafts = useMemo(() => parsed(stored, schema), [stored, schema]);
  return {
    drafts,
    setDraft: (toolCallId, draft) => {
      // Calls that are open no more take their drafts with them.
      const open = action?.tool_calls.map((call) => call.tool_call_id) ?? [];
      const kept = Object.entries(drafts).filter(([id]) => open.includes(id));
      store(JSON.stringify({ ...Object.fromEntries(kept), [toolCallId]: draft }));
    },
    clear: () => store(null),
  };
};

const parsed = <Draft>(stored: string | null, schema: z.ZodType<Draft>) => {
  if (stored === null) return {};
  try {
    return z.record(z.string(), schema).safeParse(JSON.parse(stored)).data ?? {};
  } catch {
    // Cut off while it was written.
    return {};
  }
};

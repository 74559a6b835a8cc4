import { useMemo } from "react";
import { z } from "zod";
import type { RequiredAction } from "@/contract/chat";
import { JsonValue } from "@/contract/json";
import { useStored } from "./use-stored";

/** An answer to a tool call that is being written, as the form speaks of it. */
const AnswerDraft = z.object({
  mode: z.enum(["form", "text", "json"]),
  form: z.object({ value: JsonValue.exactOptional() }).nullable(),
  text: z.string(),
  json: z.string(),
  isError: z.boolean(),
  errorText: z.string(),
});
type AnswerDraft = z.infer<typeof AnswerDraft>;
const Drafts = z.record(z.string(), AnswerDraft);
type Drafts = z.infer<typeof Drafts>;

/** Answers being written in a chat, by tool call; they survive a reload and are the same in all tabs. */
export const useAnswerDrafts = (chatId: string, action: RequiredAction | null) => {
  const [stored, store] = useStored(`parley.answers.${chatId}`);
  const drafts = useMemo(() => parsed(stored), [stored]);
  return {
    drafts,
    setDraft: (toolCallId: string, draft: AnswerDraft): void => {
      // Calls that are open no more take their drafts with them.
      const open = action?.tool_calls.map((call) => call.tool_call_id) ?? [];
      const kept = Object.entries(drafts).filter(([id]) => open.includes(id));
      store(JSON.stringify({ ...Object.fromEntries(kept), [toolCallId]: draft }));
    },
    clear: (): void => store(null),
  };
};

const NONE: Drafts = {};

/** What another version of this page kept may have another shape. */
const parsed = (stored: string | null): Drafts => {
  if (stored === null) return NONE;
  try {
    return Drafts.safeParse(JSON.parse(stored)).data ?? NONE;
  } catch {
    return NONE;
  }
};

import { Draft, type Drafts } from "./draft";

/** Drafts as they were stored, without what has no use any more or never had the shape of one. */
export const readDrafts = (stored: string | null): Drafts => {
  const drafts: Drafts = {};
  for (const [toolCallId, value] of entriesOf(stored)) {
    const draft = Draft.safeParse(value);
    if (draft.success) drafts[toolCallId] = draft.data;
  }
  return drafts;
};

const entriesOf = (stored: string | null): [string, unknown][] => {
  try {
    const value: unknown = JSON.parse(stored ?? "{}");
    return typeof value === "object" && value !== null ? Object.entries(value) : [];
  } catch {
    return [];
  }
};

import type { Group } from "@/contract/group";
import { formatToolNames, parseToolNames } from "./declared-draft";

/** The texts of the form's fields; their names are those of the group, so that errors find them. */
export type GroupDraft = {
  name: string;
  description: string;
  /** Names, one per line. */
  tools: string;
  prompt: string;
  include_default_prompt: "yes" | "no";
};

/** @param group undefined for a new one. */
export const toGroupDraft = (group: Group | undefined): GroupDraft => ({
  name: group?.name ?? "",
  description: group?.description ?? "",
  tools: formatToolNames(group?.tools ?? []),
  prompt: group?.prompt ?? "",
  include_default_prompt: group?.include_default_prompt === false ? "no" : "yes",
});

export const toGroup = (draft: GroupDraft): Group => ({
  name: draft.name.trim(),
  description: draft.description.trim(),
  tools: parseToolNames(draft.tools),
  prompt: draft.prompt.trim(),
  include_default_prompt: draft.include_default_prompt === "yes",
});

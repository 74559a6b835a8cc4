import type { Group } from "@/contract/group";
import type { Problem } from "@/contract/problem";

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
  tools: group?.tools.join("\n") ?? "",
  prompt: group?.prompt ?? "",
  include_default_prompt: group?.include_default_prompt === false ? "no" : "yes",
});

export const toToolNames = ({ tools }: Pick<GroupDraft, "tools">): string[] =>
  tools.split("\n").filter((name) => name !== "");

/** @param otherNames those of the other groups. */
export const validateGroupDraft = ({ name }: GroupDraft, otherNames: readonly string[]) => {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name.trim())) {
    return { name: "Enter a name of letters, digits, - and _, such as review." };
  }
  return otherNames.includes(name.trim())
    ? { name: "There is a group with this name already." }
    : {};
};

export const toGroup = (draft: GroupDraft): Group => ({
  name: draft.name.trim(),
  description: draft.description.trim(),
  tools: toToolNames(draft),
  prompt: draft.prompt.trim(),
  include_default_prompt: draft.include_default_prompt === "yes",
});

/**
 * The same problem with errors at the fields of the form: all groups are sent together, and each tool is a part of a
 * field.
 */
export const toGroupProblem = (problem: Problem | undefined): Problem | undefined =>
  problem?.errors && {
    ...problem,
    errors: problem.errors.map(({ pointer, message }) => {
      const [, field = ""] = /^\/groups\/\d+\/([^/]+)/.exec(pointer) ?? [];
      return { pointer: `/${field}`, message };
    }),
  };

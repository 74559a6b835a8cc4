import { DeclaredName } from "@/contract/declared-name";
import type { Problem } from "@/contract/problem";
import { toSentence } from "@/lib/humanize";

/** Names of tools in a field: one per line. */
export const formatToolNames = (names: readonly string[]): string => names.join("\n");

export const parseToolNames = (text: string): string[] =>
  text.split("\n").filter((name) => name !== "");

type OtherNames = {
  /** Those of the rest of the list. */
  otherNames: readonly string[];
  /** What has the name, such as "group". */
  noun: string;
};

/** Returns why something cannot have a name in its list. */
export const validateDeclaredName = (
  name: string,
  { otherNames, noun }: OtherNames,
): string | undefined => {
  if (!DeclaredName.safeParse(name.trim()).success) {
    return "Enter a name of letters, digits, - and _, such as review.";
  }
  return otherNames.includes(name.trim())
    ? `There is a ${noun} with this name already.`
    : undefined;
};

/**
 * The same problem with errors at the fields of a form: the whole list is sent, and each tool is a part of a field. An
 * error of the list itself is its text.
 */
export const toItemProblem = (problem: Problem | undefined): Problem | undefined => {
  if (!problem?.errors) return problem;
  const ofList = problem.errors.find(({ pointer }) => /^\/[^/]+$/.test(pointer));
  return {
    ...problem,
    detail: ofList ? toSentence(ofList.message) : problem.detail,
    errors: problem.errors.map(({ pointer, message }) => {
      const [, field = ""] = /^\/[^/]+\/\d+\/([^/]+)/.exec(pointer) ?? [];
      return { pointer: `/${field}`, message };
    }),
  };
};

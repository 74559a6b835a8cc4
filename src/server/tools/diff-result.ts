import { createUnifiedDiff } from "@/lib/unified-diff";
import { type ToolResult, silentResult, toolResult } from "./tool-result";

/** Longer texts are not compared. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_TEXT_LINES = 2_000;
/** Longest diff that the person sees, in bytes. */
const MAX_DIFF_BYTES = 16 * 1024;

/** Creates the result of a changed text: a diff for the person, a one-line summary for the model. */
export const diffResult = (summary: string, before: string, after: string): ToolResult<string> => {
  if (isTooLarge(before) || isTooLarge(after)) {
    return silentResult(`${summary} The text is too large to show what changed.`);
  }
  const diff = createUnifiedDiff(before, after);
  if (diff === "") return toolResult(`${summary} The content is the same as before.`);
  const shown = truncateAtLine(diff);
  if (shown === diff) return { ...toolResult(summary), forUser: toFencedBlock(shown) };
  return {
    ...toolResult(`${summary} The user sees only the beginning of the changes.`),
    forUser: `${toFencedBlock(shown)}\n\nThe rest of the changes is not shown.`,
  };
};

const isTooLarge = (text: string): boolean =>
  Buffer.byteLength(text) > MAX_TEXT_BYTES || text.split("\n").length - 1 > MAX_TEXT_LINES;

/** Truncates after a line break, which never splits a character. */
const truncateAtLine = (diff: string): string => {
  const bytes = Buffer.from(diff);
  if (bytes.length <= MAX_DIFF_BYTES) return diff;
  return bytes.subarray(0, bytes.lastIndexOf("\n", MAX_DIFF_BYTES - 1) + 1).toString();
};

/** Makes the fence longer than any in the text, so that the text cannot close it. */
const toFencedBlock = (diff: string): string => {
  const longest = Math.max(0, ...(diff.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}diff\n${diff}${fence}`;
};

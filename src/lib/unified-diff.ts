import { formatPatch, OMIT_HEADERS, structuredPatch, type StructuredPatchHunk } from "diff";

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;
/** The search blocks the event loop for a time that grows with the square: 0.1 s for 1,000 lines. */
const MAX_EDITS = 1_000;
const WITHOUT_FILES = {
  oldFileName: undefined,
  newFileName: undefined,
  oldHeader: undefined,
  newHeader: undefined,
};

/**
 * Compares two texts line by line. When more than 1,000 lines are removed or added, the whole text
 * is replaced.
 *
 * @returns the hunks of a unified diff, without file names; "" when both texts are the same.
 */
export const createUnifiedDiff = (before: string, after: string): string => {
  const hunks = findHunks(before, after, MAX_EDITS) ?? [replaceAll(before, after)];
  return hunks.length === 0 ? "" : formatPatch({ ...WITHOUT_FILES, hunks }, OMIT_HEADERS);
};

/** @returns undefined when the texts differ in more than `maxEdits` lines. */
const findHunks = (
  before: string,
  after: string,
  maxEdits: number,
): StructuredPatchHunk[] | undefined =>
  structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: maxEdits,
  })?.hunks;

/** Removing or adding a whole text needs no search, however long it is. */
const replaceAll = (before: string, after: string): StructuredPatchHunk => {
  const removed = findHunks(before, "", Infinity)?.[0];
  const added = findHunks("", after, Infinity)?.[0];
  return {
    oldStart: 1,
    oldLines: removed?.oldLines ?? 0,
    newStart: 1,
    newLines: added?.newLines ?? 0,
    lines: [...(removed?.lines ?? []), ...(added?.lines ?? [])],
  };
};

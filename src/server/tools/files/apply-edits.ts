import { setImmediate as nextTick } from "node:timers/promises";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { ToolFailure } from "@/server/tools/tool-result";

export type TextEdit = {
  old_text: string;
  new_text: string;
  replace_all?: boolean | null | undefined;
  expected_count?: number | null | undefined;
};

/** Replacements of one edit; the time and memory of an edit grow with them. */
const MAX_REPLACEMENTS = 10_000;
/** Length of the text after an edit, in UTF-16 units: what `write_file` accepts at most. */
const MAX_TEXT_LENGTH = MAX_ARTIFACT_BYTES;
/** Places that a failure names. */
const MAX_PLACES = 5;
/** Longest part of a line that a failure quotes, in UTF-16 units. */
const MAX_QUOTE_LENGTH = 80;

type Range = { start: number; end: number };

/**
 * Applies edits one after another, each to the result of the one before. Line ends of the text are
 * kept: a line break of an edit stands for whatever line end the text has.
 *
 * @throws {ToolFailure} when one of them does not apply; it names the places where it could.
 */
export const applyEdits = async (
  text: string,
  edits: readonly TextEdit[],
): Promise<{ text: string; replacements: number }> => {
  let edited = text;
  let replacements = 0;
  const lineEnd = findLineEnd(text);
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? "old_text" : `old_text of edit ${index + 1}`;
    if (!edit.old_text.isWellFormed() || !edit.new_text.isWellFormed()) {
      throw new ToolFailure(`The texts of edit ${index + 1} must be well-formed Unicode.`);
    }
    const ranges = await findRanges(edited, edit.old_text.replaceAll("\r\n", "\n"));
    if (ranges.length === 0) {
      throw new ToolFailure(await describeMissing(edited, edit.old_text, name));
    }
    checkCount(edited, ranges, { ...edit, name });
    const newText = edit.new_text.replaceAll(/\r?\n/g, lineEnd);
    edited = replaceRanges(edited, ranges, newText);
    replacements += ranges.length;
  }
  return { text: edited, replacements };
};

/** @returns the first line end of a text. */
const findLineEnd = (text: string): "\n" | "\r\n" => {
  const at = text.indexOf("\n");
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
};

/** UTF-16 units that are compared before other work of the process may run: about 5 ms. */
const UNITS_PER_TICK = 500_000;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/**
 * Finds where a part is in a text, without overlaps, as Knuth, Morris and Pratt do: the time of
 * `indexOf` can grow with the product of both lengths. A carriage return before a line feed is skipped.
 *
 * @param part has no carriage returns before line feeds, and is not empty.
 */
const findRanges = async (text: string, part: string): Promise<Range[]> => {
  const prefixes = findPrefixes(part);
  const ranges: Range[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    if (at % UNITS_PER_TICK === UNITS_PER_TICK - 1) await nextTick();
    const unit = text.charCodeAt(at);
    if (unit === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) continue;
    matched = extendMatch({ part, prefixes, matched }, unit);
    if (matched < part.length) continue;
    ranges.push({ start: findStart(text, at + 1, part.length), end: at + 1 });
    matched = 0;
    if (ranges.length > MAX_REPLACEMENTS) break;
  }
  return ranges;
};

/** @returns for each unit of the part, the length of the longest start of the part that ends there. */
const findPrefixes = (part: string): Uint32Array => {
  const prefixes = new Uint32Array(part.length);
  for (let at = 1; at < part.length; at++) {
    const match = { part, prefixes, matched: prefixes[at - 1] ?? 0 };
    prefixes[at] = extendMatch(match, part.charCodeAt(at));
  }
  return prefixes;
};

type Match = { part: string; prefixes: Uint32Array; matched: number };

/** @returns how many units of the part match, one unit later. */
const extendMatch = ({ part, prefixes, matched }: Match, unit: number): number => {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== unit) length = prefixes[length - 1] ?? 0;
  return part.charCodeAt(length) === unit ? length + 1 : length;
};

/** Goes back from the end of a match; a carriage return before a line feed belongs to it. */
const findStart = (text: string, end: number, length: number): number => {
  let start = end;
  for (let left = length; left > 0; left--) {
    start -= 1;
    const isLineFeed = text.charCodeAt(start) === LINE_FEED;
    if (isLineFeed && text.charCodeAt(start - 1) === CARRIAGE_RETURN) start -= 1;
  }
  return start;
};

const checkCount = (
  text: string,
  ranges: readonly Range[],
  { replace_all, expected_count, name }: TextEdit & { name: string },
): void => {
  const count = ranges.length;
  if (count > MAX_REPLACEMENTS) {
    throw new ToolFailure(
      `No edit was made: ${name} occurs more than ${MAX_REPLACEMENTS} times. Use a longer one.`,
    );
  }
  const expected = expected_count ?? (replace_all ? count : 1);
  if (count === expected) return;
  const remedy =
    expected === 1
      ? "Add lines around it so that it occurs once, or set replace_all or expected_count."
      : `Set expected_count to ${count}, or change old_text.`;
  throw new ToolFailure(
    `No edit was made: ${name} occurs ${count} times, not ${expected}.\n${listPlaces(text, ranges)}\n${remedy}`,
  );
};

const describeMissing = async (text: string, oldText: string, name: string): Promise<string> => {
  const missing = `No edit was made: ${name} was not found. It must match the file exactly, without line numbers.`;
  const firstLine = oldText.trim().split("\n")[0]?.trim() ?? "";
  const similar = firstLine === "" ? [] : await findRanges(text, firstLine);
  return similar.length === 0
    ? missing
    : `${missing} Its first line is here, but what follows or the white space differs:\n${listPlaces(text, similar)}`;
};

/** Lists the lines of the first places. */
const listPlaces = (text: string, ranges: readonly Range[]): string => {
  let [line, at] = [1, 0];
  const places = ranges.slice(0, MAX_PLACES).map(({ start }) => {
    for (; at < start; at++) if (text.charCodeAt(at) === LINE_FEED) line += 1;
    return `line ${line}: ${quoteLine(text, start)}`;
  });
  const more = ranges.length - places.length;
  return [...places, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
};

const quoteLine = (text: string, at: number): string => {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(Math.max(start, at - MAX_QUOTE_LENGTH), at + MAX_QUOTE_LENGTH);
  return JSON.stringify(
    (line.trimStart().split(/\r?\n/)[0] ?? "").slice(0, MAX_QUOTE_LENGTH).toWellFormed(),
  );
};

const replaceRanges = (text: string, ranges: readonly Range[], newText: string): string => {
  const removed = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (text.length - removed + ranges.length * newText.length > MAX_TEXT_LENGTH) {
    throw new ToolFailure("No edit was made: the file would become too large.");
  }
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    pieces.push(text.slice(at, start), newText);
    at = end;
  }
  return [...pieces, text.slice(at)].join("");
};

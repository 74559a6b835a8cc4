/** What a person can choose for a chat by its name after an `@`. */
export type Mentionable = {
  kind: "tool" | "group";
  name: string;
  description: string;
  /** Why it is of no use, or not of its full use, as a sentence. */
  problem?: string | undefined;
  /** False for an option that can stay chosen, but is not suggested. */
  isOffered: boolean;
};

/** Text in an address or a path is no mention, as in `ada@example.org`, `@types/node` and `@media.print`. */
const MENTION = /(?<![\p{L}\p{N}_.@/+-])@([A-Za-z0-9_-]+)(?![\p{L}\p{N}_@/-]|\.[\p{L}\p{N}_])/gu;
const MENTION_AT_END = /(?<![\p{L}\p{N}_.@/+-])@([A-Za-z0-9_-]*)$/u;

/** Lists the names that a text mentions if they are known, each once, in the order of the text. */
export const listMentionedNames = (text: string): string[] => {
  if (!text.includes("@")) return [];
  return [...new Set(Array.from(blankCode(text).matchAll(MENTION), ([, name = ""]) => name))];
};

/** Finds what names mean. */
export const findMentionables = (
  names: readonly string[],
  known: readonly Mentionable[],
): Mentionable[] =>
  names.flatMap((name) => known.find((one) => one.name === name && one.isOffered) ?? []);

/** A mention that is being written: where its `@` is, and what follows. */
export type OpenMention = { start: number; query: string };

/** Finds the mention at whose end the caret is. */
export const findOpenMention = (text: string, caret: number): OpenMention | undefined => {
  if (caret === 0 || /[A-Za-z0-9_-]/.test(text.charAt(caret))) return undefined;
  const line = text.slice(text.lastIndexOf("\n", caret - 1) + 1, caret);
  const [mention, query = ""] = MENTION_AT_END.exec(line) ?? [];
  if (mention === undefined) return undefined;
  // Only now, as code is looked for in the whole text.
  const start = caret - mention.length;
  const isCode = blankCode(text.slice(0, caret), "being written").charAt(start) !== "@";
  return isCode ? undefined : { start, query };
};

/** Completes a mention that is being written: the range that it replaces, and its text, with one space after it. */
export const completeMention = (
  text: string,
  { start, query }: OpenMention,
  { name }: Pick<Mentionable, "name">,
): { start: number; end: number; text: string } => {
  const end = start + 1 + query.length;
  return { start, end: text.startsWith(" ", end) ? end + 1 : end, text: `@${name} ` };
};

/** Finds what a query may mean: names that begin with it, then those that contain it. */
export const matchMentionables = (
  query: string,
  known: readonly Mentionable[],
): readonly Mentionable[] => {
  const wanted = query.toLowerCase();
  const found = known.filter((one) => one.isOffered && one.name.toLowerCase().includes(wanted));
  const isFirst = ({ name }: Mentionable): boolean => name.toLowerCase().startsWith(wanted);
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
};

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const INDENTED = /^(?: {4}|\t)/;

/** Replaces code of a Markdown text by spaces, so that positions stay. */
const blankCode = (text: string, state: "complete" | "being written" = "complete"): string => {
  let fence: string | undefined;
  const blankLine = (line: string): string => {
    const [, mark] = FENCE.exec(line) ?? [];
    const wasOpen = fence !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    if (wasOpen || mark !== undefined || INDENTED.test(line)) return toSpaces(line);
    return blankSpans(line, state);
  };
  return text.split("\n").map(blankLine).join("\n");
};

/** Code in a line: a run of backticks to the next run of as many; while a text is being written, to its end. */
const blankSpans = (line: string, state: "complete" | "being written"): string => {
  const runs = [...line.matchAll(/`+/g)];
  const closing = findClosing(runs.map(([run]) => run.length));
  let result = "";
  let from = 0;
  for (const [index, run] of runs.entries()) {
    const close = runs[closing[index] ?? -1];
    if (run.index < from || (!close && state === "complete")) continue;
    const end = close ? close.index + close[0].length : line.length;
    result += line.slice(from, run.index) + toSpaces(line.slice(run.index, end));
    from = end;
  }
  return result + line.slice(from);
};

/** @returns for each length the index of the next one that is the same. */
const findClosing = (lengths: readonly number[]): (number | undefined)[] => {
  const next = new Map<number, number>();
  const closing = lengths.map((): number | undefined => undefined);
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    const length = lengths[index] ?? 0;
    closing[index] = next.get(length);
    next.set(length, index);
  }
  return closing;
};

const toSpaces = (text: string): string => " ".repeat(text.length);

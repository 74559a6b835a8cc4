/** A fence of Markdown: its character, how many of them, and what follows. */
export type Fence = { mark: string; length: number; language: string; info: string };

/** Longest line of a fence, in characters; a longer one is text. */
const MAX_LINE = 200;
const START = /^ {0,3}(?:`{0,2}|~{0,2}|(?:`{3}|~{3})[^\n]*\n?)$/;
const LINE = /^ {0,3}(`{3,}|~{3,})([^\n]*)\n?$/;

/** @returns whether the start of a line, or a line, may belong to a fence. */
export const couldBeFence = (text: string): boolean => text.length <= MAX_LINE && START.test(text);

export const parseFence = (line: string): Fence | undefined => {
  const [, marks = "", info = ""] = (line.length <= MAX_LINE ? LINE.exec(line) : null) ?? [];
  const mark = marks.charAt(0);
  // A line of code in backticks is no fence.
  if (mark === "" || (mark === "`" && info.includes("`"))) return undefined;
  const [language = ""] = info.trim().toLowerCase().split(/\s/);
  return { mark, length: marks.length, language, info };
};

export const isClosing = (found: Fence, opened: Fence): boolean =>
  found.mark === opened.mark && found.length >= opened.length && found.info.trim() === "";

/** Reads what follows the root of a block: nothing but the end of its fence. */
export const readTail = (
  text: string,
  fence: Fence,
): { type: "open" | "malformed" } | { type: "closed"; rest: string } => {
  const end = text.indexOf("\n", text.search(/\S|$/));
  if (end === -1) return { type: isHeldTail(text, fence) ? "open" : "malformed" };
  const found = parseFence(text.slice(0, end).trim());
  return found && isClosing(found, fence)
    ? { type: "closed", rest: text.slice(end + 1) }
    : { type: "malformed" };
};

/** @returns whether a text without an end of line may be, or become, the end of a fence. */
const isHeldTail = (text: string, { mark }: Fence): boolean =>
  text.trim().replaceAll(mark, "") === "";

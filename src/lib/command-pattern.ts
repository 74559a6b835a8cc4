/** Longest pattern, in UTF-16 units; a person reads it as a whole. */
export const MAX_PATTERN_LENGTH = 300;

/** Longest command that is read, in UTF-16 units: each call is compared with all patterns. */
const MAX_COMMAND_LENGTH = 10_000;

/** `npm run *`: the first words of a command, with any words after them if it is open. */
type CommandPattern = { words: readonly string[]; isOpen: boolean };

/**
 * What a shell reads as more than the words of one command, in or out of quotes: operators, expansions, escapes, line
 * ends; and what a person cannot see, such as control characters and spaces that separate no words.
 */
const NOT_SIMPLE = /[;&|$`()<>\\]|[^\P{C}\t]|[^\P{Z} ]|[\u115F\u1160\u3164\uFFA0]/u;

/** What a shell may replace by other words, or leave out, where it is not quoted. */
const EXPANDED = /[*?[\]{}~!#]/u;

/** A space or tab separates words; quotes join what is between them, also to what stands before and after. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/gu;
const QUOTED = /"([^"]*)"|'([^']*)'/gu;

/**
 * Reads a text as a shell does that finds one simple command in it.
 *
 * @returns its words without their quotes; undefined if the shell could make something else of it.
 */
const readWords = (text: string): string[] | undefined => {
  if (text.length > MAX_COMMAND_LENGTH || NOT_SIMPLE.test(text)) return undefined;
  const unquoted = text.replace(QUOTED, "");
  if (/["']/u.test(unquoted) || EXPANDED.test(unquoted)) return undefined;
  const words = text.match(WORD)?.map(removeQuotes) ?? [];
  const [program = ""] = words;
  // Before a command, `A=1` sets a variable.
  return program === "" || program.includes("=") ? undefined : words;
};

const removeQuotes = (word: string): string =>
  word.replace(QUOTED, (_all, double?: string, single?: string) => double ?? single ?? "");

/** @returns why a text is no pattern, after the word "it"; undefined if it is one. */
export const findPatternMistake = (pattern: string): string | undefined => {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return `must have at most ${MAX_PATTERN_LENGTH} characters`;
  }
  if (readPattern(pattern)) return undefined;
  return /^[\s*]*$/u.test(pattern)
    ? "must begin with the words of a command, such as npm run *"
    : "must be the words of one command without special characters, and * can only be the last word";
};

const readPattern = (pattern: string): CommandPattern | undefined => {
  const open = /[ \t]\*[ \t]*$/u.exec(pattern);
  const words = readWords(open ? pattern.slice(0, open.index) : pattern);
  return words && { words, isOpen: open !== null };
};

/**
 * Whether a pattern covers a command: the command is simple, and its words are those of the pattern, with at least
 * one more where the pattern ends with `*`. What cannot be read for certain is not covered.
 */
export const matchesPattern = (pattern: string, command: string): boolean => {
  if (findPatternMistake(pattern) !== undefined) return false;
  const read = readPattern(pattern);
  const words = readWords(command);
  if (!read || !words) return false;
  const { words: first, isOpen } = read;
  const fits = isOpen ? words.length > first.length : words.length === first.length;
  return fits && first.every((word, index) => word === words[index]);
};

/** A program and its subcommand, such as `npm run`. */
const SUBCOMMAND = /^[\w./-]+[ \t]+[a-z][a-z-]*(?=[ \t])/u;

/** @returns the pattern that a person is offered for a command; undefined for one that no pattern covers. */
export const suggestPattern = (command: string): string | undefined => {
  const [first] = SUBCOMMAND.exec(command) ?? [];
  const open = first === undefined ? "" : `${first} *`;
  return [open, command.trim()].find((pattern) => matchesPattern(pattern, command));
};

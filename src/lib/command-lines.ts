/** A text that is no list of commands: the number of the line from 1, and why, as the end of a sentence. */
export type CommandLineProblem = { line: number; message: string };

const WORD = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+/y;
const PLAIN_WORD = /^[^\s"'\\]+$/;

/**
 * Parses commands, one per line: words with spaces are in single quotes, or in double quotes with the escapes of
 * JSON.
 */
export const parseCommandLines = (text: string): string[][] | CommandLineProblem => {
  const commands: string[][] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const words = parseWords(line);
    if (typeof words === "string") return { line: index + 1, message: words };
    commands.push(words);
  }
  return commands;
};

const parseWords = (line: string): string[] | string => {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? "")) {
      at += 1;
      continue;
    }
    let word = "";
    while (at < line.length && !/\s/.test(line[at] ?? "")) {
      WORD.lastIndex = at;
      const [piece] = WORD.exec(line) ?? [];
      if (piece === undefined) return "has a quote without an end";
      const value = unquote(piece);
      if (value === undefined) return `has an escape that is none in ${piece}`;
      word += value;
      at += piece.length;
    }
    words.push(word);
  }
  return words;
};

const unquote = (piece: string): string | undefined => {
  if (piece.startsWith("'")) return piece.slice(1, -1);
  if (!piece.startsWith('"')) return piece;
  try {
    return JSON.parse(piece) as string;
  } catch {
    return undefined;
  }
};

/** Formats commands so that parsing returns them. */
export const formatCommandLines = (commands: readonly (readonly string[])[]): string =>
  commands.map((argv) => argv.map(formatWord).join(" ")).join("\n");

const formatWord = (word: string): string =>
  PLAIN_WORD.test(word) ? word : /^[^'\n]+$/.test(word) ? `'${word}'` : JSON.stringify(word);

/** One deliberate fault: a piece of a file that is replaced while tests run. */
export type Mutant = {
  /** Path from the repository's root. */
  file: string;
  start: number;
  end: number;
  replacement: string;
};

/** A replacement in a text. */
export type Edit = Omit<Mutant, "file">;

const MAX_CONTEXT = 60;

const toLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Names a mutant by its text, which stays when lines move. */
export const describeMutant = (
  source: string,
  { file, start, end, replacement }: Mutant,
): string => {
  const was = toLine(source.slice(start, end));
  const before = toLine(source.slice(Math.max(0, start - MAX_CONTEXT), start));
  return `${file}: ${before} [${was}] → [${toLine(replacement)}]`;
};

export const applyEdit = (source: string, { start, end, replacement }: Edit): string =>
  source.slice(0, start) + replacement + source.slice(end);

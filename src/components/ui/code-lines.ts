/** A piece of code and its color in each theme. */
export type Token = { text: string; light?: string | undefined; dark?: string | undefined };

export type CodeLines = readonly (readonly Token[])[];

export type CodeOptions = { code: string; language: string };

/** What the page sends to the highlighter's thread, which responds to one request after the other. */
export type HighlightRequest = CodeOptions;

/** `lines` is undefined for an unknown language. */
export type HighlightResponse = { lines: CodeLines | undefined; error?: string };

/** Tokens that a page adds at a time: some milliseconds of work on a slow device. */
const MAX_SLICE_TOKENS = 120;

/** Splits lines into slices of about as many tokens, at least one line each. */
export const toSlices = (lines: CodeLines): CodeLines[] => {
  const slices: (readonly Token[])[][] = [];
  let size = MAX_SLICE_TOKENS;
  for (const line of lines) {
    if (size >= MAX_SLICE_TOKENS) {
      slices.push([]);
      size = 0;
    }
    slices.at(-1)?.push(line);
    size += line.length;
  }
  return slices;
};

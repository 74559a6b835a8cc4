/** A piece of a text in JSON; the pieces together are the text. */
export type JsonToken = { kind: JsonTokenKind; text: string };
type JsonTokenKind = "name" | "string" | "value" | "other";

/** A string is a name if a colon follows. A string or word that is still being written ends with its line. */
const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(?=(\s*:)?)|-?\d[\d.eE+-]*|\b[a-z]+\b/g;

/** Splits JSON that is being written, and may be broken, into what is colored alike. */
export const splitJson = (text: string): JsonToken[] => {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [found, string, colon] = match;
    if (match.index > end) tokens.push({ kind: "other", text: text.slice(end, match.index) });
    const kind = string === undefined ? "value" : colon === undefined ? "string" : "name";
    tokens.push({ kind, text: found });
    end = match.index + found.length;
  }
  if (end < text.length) tokens.push({ kind: "other", text: text.slice(end) });
  return tokens;
};

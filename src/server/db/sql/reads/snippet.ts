import { stripMarkdown } from "@/lib/strip-markdown";

/** Characters of a snippet before the text that was found, and in all: about three lines of the chat list. */
const SNIPPET_BEFORE = 30;
const SNIPPET_LENGTH = 140;

/** A pattern of ILIKE for texts that contain `q`. */
export const toPattern = (q: string): string => `%${q.replace(/[\\%_]/g, "\\$&")}%`;

/** SQL of the place in `text` where a snippet begins, for `q`. */
export const snippetStartSql = (text: string, q: string): string =>
  `greatest(strpos(lower(${text}), lower(${q})) - ${SNIPPET_BEFORE}, 1)`;

/** SQL of the columns of a `SnippetRow`, from the place `start`. */
export const snippetColumns = (text: string): string =>
  `start > 1 AS "isCutBefore", start + ${SNIPPET_LENGTH} <= length(${text}) AS "isCutAfter",
    substring(${text} FROM start FOR ${SNIPPET_LENGTH}) AS snippet`;

export type SnippetRow = {
  role: string;
  snippet: string;
  isCutBefore: boolean;
  isCutAfter: boolean;
};

/** @returns the text around what a search has found, in one line and without markup. */
export const toSnippet = (
  { role, snippet, isCutBefore, isCutAfter }: SnippetRow,
  q: string,
): string => {
  const plain = toLine(role === "user" ? snippet : stripMarkdown(snippet));
  // What is searched for may be markup itself.
  const text = includesText(plain, q) ? plain : toLine(snippet);
  return `${isCutBefore ? "…" : ""}${text}${isCutAfter ? "…" : ""}`;
};

const toLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const includesText = (text: string, q: string): boolean =>
  text.toLowerCase().includes(toLine(q).toLowerCase());

import type { ToolCallView } from "@/contract/chat-view";
import { getTextArg, parseCallArgs } from "./call-args";

/** What a call that a provider has run was for. */
type Purpose = "web" | "files" | "code" | "other";

type Found = { url: string | undefined; title: string; text?: string };

export type ProviderCall = {
  purpose: Purpose;
  /** What was searched for. */
  query: string | undefined;
  /** The program or the command. */
  code: string | undefined;
  /** What a search has found; undefined if the call has returned no list. */
  found: Found[] | undefined;
  /** What the code has printed. */
  printed: string | undefined;
};

type Fields = Readonly<Record<string, unknown>>;

/** Reads a call and its result, which each provider writes in its own form. Never throws: a form that is not known is empty. */
export const readProviderCall = (part: ToolCallView): ProviderCall => {
  const { output } = part;
  const args = parseCallArgs(part);
  const fields = toFields(output);
  const lists = [output, fields.sources, fields.results].find(Array.isArray) as unknown;
  return {
    purpose: findPurpose(part.tool_name),
    query: readQuery(args) ?? readQuery(toFields(fields.action)) ?? readQuery(fields),
    code: getTextArg(args, "code") ?? getTextArg(args, "command") ?? getTextArg(args, "file_text"),
    found: Array.isArray(lists) ? lists.flatMap(readFound) : undefined,
    printed: readPrinted(fields),
  };
};

/** Providers name their tools themselves, such as `code_interpreter` or `server:GOOGLE_SEARCH_WEB`. */
const findPurpose = (name: string): Purpose => {
  if (/code/i.test(name)) return "code";
  if (/file/i.test(name)) return "files";
  return /search/i.test(name) ? "web" : "other";
};

const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const readQuery = (fields: Fields): string | undefined => {
  const { queries } = fields;
  const first: unknown = Array.isArray(queries) ? queries[0] : undefined;
  return getTextArg(fields, "query") ?? (typeof first === "string" && first ? first : undefined);
};

const readFound = (item: unknown): Found[] => {
  const fields = toFields(item);
  const url = getTextArg(fields, "url");
  const title = getTextArg(fields, "title") ?? getTextArg(fields, "filename") ?? url;
  const text = getTextArg(fields, "text");
  return title === undefined ? [] : [{ url, title, ...(text !== undefined && { text }) }];
};

/** The texts of streams, in their order; a provider has one field of them, or a list of logs. */
const readPrinted = (fields: Fields): string | undefined => {
  const logs = Array.isArray(fields.outputs)
    ? fields.outputs.map((item) => getTextArg(toFields(item), "logs"))
    : [];
  const texts = [
    ...["stdout", "stderr", "output"].map((name) => getTextArg(fields, name)),
    ...logs,
  ];
  const printed = texts.filter((text) => text !== undefined).join("\n");
  return printed === "" ? undefined : printed;
};

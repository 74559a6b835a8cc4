import { isRecord } from "@/lib/is-record";

/** Where servers put what they want to say, in the order in which it is looked for. OpenAI's events have an error in `response`. */
const KEYS = ["error", "message", "detail", "msg", "errors", "response"] as const;
/** Servers nest what they say, and repeat the answers of others as JSON. */
const MAX_DEPTH = 4;

/** Finds what a server says in the body of an answer that is an error. @returns undefined if there is no text. */
export const findServerText = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === "string") {
    const text = value.trim();
    const inner = /^[[{]/.test(text) ? parseJson(text) : undefined;
    return findServerText(inner, depth + 1) ?? (text || undefined);
  }
  if (depth >= MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return findFirst(value, depth);
  return isRecord(value)
    ? findFirst(
        KEYS.map((key) => value[key] ?? value[capitalize(key)]),
        depth,
      )
    : undefined;
};

/** Characters of a body that is no JSON, which say what it is. */
const MAX_QUOTE = 300;

/**
 * Finds what a server says in the body of a refusal: the first text of an error in JSON, the title of a page, else the
 * start of the body.
 *
 * @returns undefined if the body is empty.
 */
export const readServerBody = (body: string): string | undefined => {
  const text = body.trim();
  const said = findServerText(parseJson(text));
  if (said !== undefined) return said;
  const title = findPageTitle(text);
  return title === undefined ? text.slice(0, MAX_QUOTE) || undefined : `a web page: ${title}`;
};

/** @returns undefined for what is no page. */
export const findPageTitle = (text: string): string | undefined => {
  if (!/^\s*<(?:!doctype\s+html|html|head)\b/i.test(text)) return undefined;
  const [, title = ""] = /<title[^<>]*>([^<]{1,200})/i.exec(text) ?? [];
  return title.trim() || "without a title";
};

/** Gateways of clouds write their keys so. */
const capitalize = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const findFirst = (values: readonly unknown[], depth: number): string | undefined => {
  for (const value of values) {
    const text = findServerText(value, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
};

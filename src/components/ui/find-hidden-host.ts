import { toHost } from "./safe-url";

/** What looks like the address of a site in a text: words with dots between them, the last one of letters, or numbers. */
const ADDRESS =
  /(?<![\p{L}\p{N}-])(?:(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:\p{L}{2,63}|xn--[a-z\d-]{1,59})|(?:\d{1,3}\.){3}\d{1,3})/gu;
/** What hides where an address ends: a user before the host, slashes of another kind, changes of direction. */
const TRICKS = /[\\@\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069]/;

/**
 * Finds the host that a person should see next to a link, as its text names another one or hides where it leads.
 *
 * @returns undefined if the text is no address, or that of the link.
 */
export const findHiddenHost = (url: string, text: string): string | undefined => {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return undefined;
  const { username, password } = new URL(url);
  const host = toHost(url);
  const named = (text.normalize("NFKC").slice(0, MAX_TEXT_LENGTH).match(ADDRESS) ?? []).map(toName);
  const isOther = named.length > 0 && !named.includes(host);
  const isTrick = named.length > 0 && TRICKS.test(text);
  return isOther || isTrick || username !== "" || password !== "" ? host : undefined;
};

/** A longer text is a sentence, in characters. */
const MAX_TEXT_LENGTH = 500;

const toName = (address: string): string => toHost(`https://${address}`);

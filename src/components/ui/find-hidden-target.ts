import { toHost } from "./safe-url";

/** What looks like the address of a site in a text: words with dots between them, the last one of letters, or numbers. */
const ADDRESS =
  /(?<![\p{L}\p{N}-])(?:(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:\p{L}{2,63}|xn--[a-z\d-]{1,59})|(?:\d{1,3}\.){3}\d{1,3})/gu;
/** What looks like the address of a mailbox. */
const MAILBOX = /[^\s<>()[\]",;:?&=]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){0,8}[\p{L}\p{N}-]{1,63}/gu;
/** What hides where an address ends: a user before the host, slashes of another kind, changes of direction. */
const TRICKS = /[\\@\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069]/;

/**
 * Finds where a link leads if a person should see it next to the link, as its text names another address or hides it.
 *
 * @returns the host of a site or what `toTarget` tells of mail; undefined if the text is no address, or that of the link.
 */
export const findHiddenTarget = (url: string, text: string): string | undefined => {
  if (!URL.canParse(url)) return undefined;
  const shown = normalize(text.slice(0, MAX_TEXT_LENGTH));
  const isHidden = isMail(url)
    ? hidesMail(url, shown)
    : /^https?:/i.test(url) && hidesHost(url, shown, text);
  return isHidden ? toTarget(url) : undefined;
};

/** Tells where a link leads: the host of a site, or who gets a mail, and what is written or sent with it. */
export const toTarget = (url: string): string => {
  if (!isMail(url) || !URL.canParse(url)) return toHost(url);
  const { recipients, notes } = readMail(url);
  return [...recipients, ...notes].join(", ");
};

/** A longer text is a sentence, in characters. */
const MAX_TEXT_LENGTH = 500;

/** @returns a text as a person reads it: without signs that are not seen, with one kind of dot. */
const normalize = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[。․]/gu, ".");

const hidesHost = (url: string, shown: string, text: string): boolean => {
  const { username, password } = new URL(url);
  const host = toHost(url);
  const named = (shown.match(ADDRESS) ?? []).map(toName);
  const isOther = named.length > 0 && !named.includes(host);
  // Letters of other scripts can look the same.
  const isTrick = named.length > 0 && (TRICKS.test(text) || /(?:^|\.)xn--/.test(host));
  return isOther || isTrick || username !== "" || password !== "";
};

const toName = (address: string): string => toHost(`https://${address}`);

const isMail = (url: string): boolean => /^mailto:/i.test(url);

type Mail = { recipients: string[]; notes: string[] };

/** Fields of a link to mail that name more recipients. */
const RECIPIENTS = new Set(["to", "cc", "bcc"]);

const readMail = (url: string): Mail => {
  const { pathname, search } = new URL(url);
  const fields = search
    .slice(1)
    .split("&")
    .map((field) => field.split("=", 2).map(decode));
  const others = fields.flatMap(([name = "", value = ""]) =>
    RECIPIENTS.has(name.toLowerCase()) ? value : [],
  );
  const recipients = [decode(pathname), ...others].flatMap((list) => list.split(/[,;]/));
  const names = new Set(fields.map(([name = ""]) => name.toLowerCase()));
  const hasFile = names.has("attach") || names.has("attachment");
  return {
    recipients: recipients.map((each) => each.trim()).filter((each) => each !== ""),
    notes: [...(names.has("body") ? ["with a text"] : []), ...(hasFile ? ["with a file"] : [])],
  };
};

/** A text that is not encoded well is shown as it is. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const hidesMail = (url: string, shown: string): boolean => {
  if (shown === url) return false;
  const { recipients, notes } = readMail(url);
  const named = (shown.match(MAILBOX) ?? []).map((address) => address.toLowerCase());
  const isWhole = recipients.every((each) => named.includes(each.toLowerCase()));
  const namesAny = named.length > 0 || shown.search(ADDRESS) !== -1;
  return (
    notes.length > 0 ||
    (namesAny ? !isWhole || named.length > recipients.length : recipients.length > 1)
  );
};

import { cutText } from "@/lib/cut-text";
import { isRandomText } from "@/lib/is-random-text";
import { maskKeys, SECRET_MASK } from "@/lib/redact-secrets";
import { env, type Env } from "./env";

let known: readonly string[] | undefined;

/** Secrets that are not in the environment. */
const otherSecrets = new Set<string>();

/**
 * Adds a secret that `maskSecrets` then masks in this process, such as a key that the settings store. What a person may have
 * chosen is left out: who prints guesses would see by the mask which one is right.
 */
export const addSecret = (secret: string): void => {
  if (isRandomText(secret)) otherSecrets.add(secret);
};

/** Masks the secrets of this server, and what cannot be anything but a key, in a text of a tool. */
export const maskSecrets = (text: string): string =>
  maskValues(text, [...otherSecrets, ...(known ??= listSecrets(env()))]);

/** @param secrets values that are masked wherever they occur, besides everything that has a key's format. */
export const maskValues = (text: string, secrets: readonly string[]): string =>
  maskKeys(secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), text));

/**
 * Lists the random secrets among the settings, the longest first, as one may contain another. The password of the owner is
 * never one of them.
 */
export const listSecrets = (settings: Env): string[] => {
  const { providers, secret, apiKey, metricsToken, urlLogins, webSearch, mcpVariables } = settings;
  const values = [
    ...Object.values(providers).map((provider) => provider.apiKey),
    secret,
    apiKey,
    metricsToken,
    ...Object.values(mcpVariables),
    webSearch.tavilyApiKey,
    webSearch.braveApiKey,
  ].filter((value) => value !== null && value !== undefined);
  const secrets = [...values.filter(isRandomText), ...urlLogins.flatMap(listLoginSecrets)];
  return [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
};

/** A user without a password may be a token. What is encoded looks random also if it is a word. */
const listLoginSecrets = ({ user, password }: Env["urlLogins"][number]): string[] => {
  const secret = password === "" ? user : password;
  if (!isRandomText(decode(secret))) return [];
  const header = Buffer.from(`${decode(user)}:${decode(password)}`).toString("base64");
  return [...listSpellings(secret), ...(password === "" ? [] : [header])];
};

/** Lists how programs write a part of a URL: as it is, decoded, encoded as a URL or as a value. */
const listSpellings = (part: string): string[] => {
  const decoded = decode(part);
  const url = new URL("http://localhost");
  url.password = part;
  return [part, decoded, url.password, encodeURIComponent(decoded)];
};

/** A sign that stands for itself is taken as such, as by those that send requests. */
const decode = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll(/%(?![\da-f]{2})/gi, "%25"));
  } catch {
    return part;
  }
};

/** More than the longest secret that is masked, a private key, has in UTF-16 units. */
const MAX_SECRET_LENGTH = 20_000;

/**
 * Masks the secrets in the start of a text, whatever its length. Where it is cut, as much is left out as a secret can have,
 * since the beginning of one looks like any other text.
 *
 * @param maxLength what the caller keeps of it, in UTF-16 units; the text that is returned may be longer.
 */
export const maskStart = (
  text: string,
  maxLength: number,
  mask: (text: string) => string = maskSecrets,
): string => {
  const length = maxLength + MAX_SECRET_LENGTH;
  return text.length <= length
    ? mask(text)
    : mask(text.slice(0, length)).slice(0, -MAX_SECRET_LENGTH);
};

/** The same for the end of a text. */
const maskEnd = (text: string, maxLength: number): string =>
  maskSecrets(text.slice(-(maxLength + MAX_SECRET_LENGTH))).slice(MAX_SECRET_LENGTH);

type CutOptions = Parameters<typeof cutText>[1];

/** Masks the secrets in a text of any length and removes its middle if it is too long, as `cutText` does. Only what is kept is masked. */
export const cutAndMask = (text: string, { maxBytes, marker }: CutOptions): string => {
  if (text.length <= 2 * (maxBytes + MAX_SECRET_LENGTH)) {
    return cutText(maskSecrets(text), { maxBytes, marker });
  }
  const [head, tail] = [maskStart(text, maxBytes), maskEnd(text, maxBytes)];
  const between = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const mark = (bytes: number): string => marker(bytes + between);
  // Masks are shorter than secrets, so that both may fit.
  const ends = cutText(`${head}${tail}`, { maxBytes, marker: mark });
  return ends === `${head}${tail}` ? `${head}${mark(0)}${tail}` : ends;
};

/** Masked at once, so that the event loop is not blocked, and as short-lived strings of the young heap. */
const PIECE_BYTES = 64 * 1024;
/** A piece goes on to the end of its line, but not further than this. */
const MAX_PIECE_BYTES = 512 * 1024;

/** Masks the secrets in an output, piece by piece. @returns the same bytes when there are none. */
export const maskBytes = async (bytes: Buffer): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let isMasked = false;
  for (let from = 0; from < bytes.length;) {
    const until = findPieceEnd(bytes, from);
    const piece = bytes.subarray(from, until);
    const text = piece.toString();
    const masked = maskSecrets(text);
    pieces.push(masked === text ? piece : Buffer.from(masked));
    isMasked ||= masked !== text;
    from = until;
    await new Promise(setImmediate);
  }
  return isMasked ? Buffer.concat(pieces) : bytes;
};

/** @returns the end of a line, or of a word in a long one, as a piece must not end in a secret. */
const findPieceEnd = (bytes: Buffer, from: number): number => {
  const lineEnd = bytes.indexOf("\n", Math.min(from + PIECE_BYTES, bytes.length));
  const until = lineEnd === -1 ? bytes.length : lineEnd + 1;
  const limit = from + MAX_PIECE_BYTES;
  if (until <= limit) return until;
  const space = bytes.lastIndexOf(" ", limit - 1);
  return space < from ? limit : space + 1;
};

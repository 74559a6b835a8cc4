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

import { maskKeys, SECRET_MASK } from "@/lib/redact-secrets";
import { env, type Env } from "./env";

/** Shorter settings may be words, such as `ollama` for the key of a local server. */
const MIN_SECRET_LENGTH = 16;

let known: readonly string[] | undefined;

/** Secrets that are not in the environment. */
const otherSecrets = new Set<string>();

/** Adds a secret that `maskSecrets` then masks in this process, such as a key that the settings store. */
export const addSecret = (secret: string): void => {
  if (isLong(secret)) otherSecrets.add(secret);
};

/** Masks the secrets of this server, and what cannot be anything but a key, in a text of a tool. */
export const maskSecrets = (text: string): string =>
  maskValues(text, [...otherSecrets, ...(known ??= listSecrets(env()))]);

/** @param secrets values that are masked wherever they occur, besides everything that has a key's format. */
export const maskValues = (text: string, secrets: readonly string[]): string =>
  maskKeys(secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), text));

/** Lists the secrets among the settings, the longest first, as one may contain another. */
export const listSecrets = (settings: Env): string[] => {
  const { providers, secret, apiKey, metricsToken, owner, urlLogins, webSearch, mcpVariables } =
    settings;
  const values = [
    ...Object.values(providers).map((provider) => provider.apiKey),
    secret,
    apiKey,
    metricsToken,
    owner?.password,
    ...Object.values(mcpVariables),
    webSearch.tavilyApiKey,
    webSearch.braveApiKey,
  ];
  const secrets = [
    ...values.filter((value) => value !== null && value !== undefined).filter(isLong),
    ...urlLogins.flatMap(listLoginSecrets),
  ];
  return [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
};

const isLong = (text: string): boolean => text.length >= MIN_SECRET_LENGTH;

/** A short password is masked together with its user. A user without a password may be a token. */
const listLoginSecrets = ({ user, password }: Env["urlLogins"][number]): string[] => {
  if (password === "") return listSpellings(user).filter(isLong);
  const header = Buffer.from(`${decode(user)}:${decode(password)}`).toString("base64");
  return [
    ...listSpellings(password).map((text) => (isLong(text) ? text : `${user}:${text}@`)),
    ...[header].filter(isLong),
  ];
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

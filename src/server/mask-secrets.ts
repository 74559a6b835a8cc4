import { maskKeys, SECRET_MASK } from "@/lib/redact-secrets";
import { env, type Env } from "./env";

/** Shorter settings may be words, such as `ollama` for the key of a local server. */
const MIN_SECRET_LENGTH = 16;

let known: readonly string[] | undefined;

/** Secrets that are not in the environment. */
const otherSecrets = new Set<string>();

/** Adds a secret that `maskSecrets` then masks in this process, such as a key that the settings store. */
export const addSecret = (secret: string): void => {
  if (secret.length >= MIN_SECRET_LENGTH) otherSecrets.add(secret);
};

/** Masks the secrets of this server, and what cannot be anything but a key, in a text of a tool. */
export const maskSecrets = (text: string): string =>
  maskValues(text, [...otherSecrets, ...(known ??= listSecrets(env()))]);

/** @param secrets values that are masked wherever they occur, besides everything that has a key's format. */
export const maskValues = (text: string, secrets: readonly string[]): string =>
  maskKeys(secrets.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), text));

/** Lists the secrets among the settings, the longest first, as one may contain another. */
export const listSecrets = (settings: Env): string[] => {
  const { providers, secret, apiKey, metricsToken, owner, databaseUrl, webSearch, mcpVariables } =
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
    ...(databaseUrl === null ? [] : [decodeURIComponent(new URL(databaseUrl).password)]),
  ];
  return values
    .filter((value): value is string => (value ?? "").length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
};

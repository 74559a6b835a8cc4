import { pino, type Logger } from "pino";
import { redactSecrets } from "@/lib/redact-secrets";
import { maskStart } from "./mask-secrets";
import { logLevel } from "./env";

const REDACTED = [
  "authorization",
  "cookie",
  "password",
  "secret",
  "token",
  "apiKey",
  "api_key",
  '["x-api-key"]',
  '["set-cookie"]',
];

let logger: Logger | undefined;

/** @returns the process's logger: one JSON line per event on standard output, without secrets. */
export const log = (): Logger => (logger ??= createLogger(logLevel()));

/** @param destination standard output when undefined. */
export const createLogger = (
  level: string,
  destination?: { write: (line: string) => void },
): Logger => {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED.flatMap(toRedactedPaths), censor: "[redacted]" },
    serializers: { err: toLoggedError },
  };
  return destination ? pino(options, destination) : pino(options);
};

/** Adds the paths of a name in up to two objects, such as `request.headers.cookie`. */
const toRedactedPaths = (name: string): string[] => {
  const below = name.startsWith("[") ? name : `.${name}`;
  return [name, `*${below}`, `*.*${below}`];
};

type LoggedError = {
  type: string;
  message: string;
  stack?: string | undefined;
  code?: unknown;
  cause?: LoggedError;
};

/**
 * Copies known fields only, without secrets: errors of providers contain whole requests, with keys and
 * prompts.
 */
const toLoggedError = (error: unknown): LoggedError => {
  if (!(error instanceof Error)) return { type: typeof error, message: redactStart(String(error)) };
  return {
    type: error.name,
    message: redactStart(error.message),
    stack: error.stack && redactStart(error.stack),
    ...("code" in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: toLoggedError(error.cause) }),
  };
};

/** Most of a text of an error, which may be the whole answer of a server, in UTF-16 units. */
const MAX_TEXT_LENGTH = 10_000;

const redactStart = (text: string): string =>
  maskStart(text, MAX_TEXT_LENGTH, redactSecrets).slice(0, MAX_TEXT_LENGTH);

import { APICallError } from "@ai-sdk/provider";

/** What an error of unknown make says, in one shape. */
export type ErrorFacts = {
  name: string;
  /** The provider's own words. */
  message: string;
  /** All its words in lower case: message, code, type and the response's body. */
  words: string;
  statusCode: number | undefined;
  /** The system's code of a failed connection, as `ECONNREFUSED`. */
  networkCode: string | undefined;
  /** The provider library's own opinion, when it has one. */
  retryable: boolean | undefined;
  headers: Record<string, string> | undefined;
};

/** Bodies are long only when they hold pages of HTML; the reason stands at their start. */
const MAX_BODY_LENGTH = 10_000;

export const errorFacts = (error: unknown): ErrorFacts => {
  const fields = asRecord(error) ?? {};
  const message = messageOf(error, fields);
  const body =
    text(fields.responseBody) ?? json(error instanceof Error ? fields.data : error) ?? "";
  const words = [message, text(fields.code), text(fields.type), body.slice(0, MAX_BODY_LENGTH)];
  return {
    name: error instanceof Error ? error.name : "",
    message: message || body,
    words: words.filter(Boolean).join(" ").toLowerCase(),
    statusCode: statusOf(fields),
    networkCode: networkCodeOf(error),
    retryable: typeof fields.isRetryable === "boolean" ? fields.isRetryable : undefined,
    headers: APICallError.isInstance(error) ? error.responseHeaders : undefined,
  };
};

const messageOf = (error: unknown, fields: Record<string, unknown>): string => {
  if (typeof error === "string") return error;
  if (error instanceof Error) return error.message;
  const inner = asRecord(fields.error);
  return text(fields.message) ?? text(inner?.message) ?? json(error) ?? "";
};

const statusOf = (fields: Record<string, unknown>): number | undefined => {
  for (const value of [fields.statusCode, fields.status, fields.code]) {
    const status = typeof value === "string" ? Number(value) : value;
    if (typeof status === "number" && status >= 400 && status < 600) return status;
  }
  return undefined;
};

const networkCodeOf = (error: unknown): string | undefined => {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const code = asRecord(current)?.code;
    if (typeof code === "string" && /^(E[A-Z]{3,}|UND_ERR_|CERT_|DEPTH_|ERR_TLS)/.test(code)) {
      return code;
    }
    current = current.cause;
  }
  return undefined;
};

const asRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? { ...value } : undefined;

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const json = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle: the other fields have to tell.
    return undefined;
  }
};

import { APICallError } from "@ai-sdk/provider";
import { readServerBody } from "./server-text";

/** An error of any provider or library in one shape. */
export type ErrorDetails = {
  name: string;
  message: string;
  /** Message, code, type and response body in lower case, for pattern matching. */
  searchText: string;
  statusCode: number | undefined;
  /** The system's code of a failed connection, for example `ECONNREFUSED`. */
  networkCode: string | undefined;
  /** `isRetryable` of the AI SDK's error, if it has one. */
  retryable: boolean | undefined;
  headers: Record<string, string> | undefined;
};

/** Only HTML error pages are longer, and they name the reason near the start. */
const MAX_BODY_LENGTH = 10_000;

/** Converts a thrown value to `ErrorDetails`. */
export const toErrorDetails = (error: unknown): ErrorDetails => {
  const fields = toRecord(error) ?? {};
  const message = findMessage(error, fields);
  const body =
    toText(fields.responseBody) ?? toJson(error instanceof Error ? fields.data : error) ?? "";
  const words = [message, toText(fields.code), toText(fields.type), body.slice(0, MAX_BODY_LENGTH)];
  return {
    name: error instanceof Error ? error.name : "",
    message: message || body,
    searchText: words.filter(Boolean).join(" ").toLowerCase(),
    statusCode: findStatus(fields),
    networkCode: findNetworkCode(error),
    retryable: typeof fields.isRetryable === "boolean" ? fields.isRetryable : undefined,
    headers: APICallError.isInstance(error) ? error.responseHeaders : undefined,
  };
};

const findMessage = (error: unknown, fields: Record<string, unknown>): string => {
  if (typeof error === "string") return error;
  const said = readServerBody(toText(fields.responseBody) ?? "");
  if (said !== undefined) return said;
  if (error instanceof Error) return error.message;
  const inner = toRecord(fields.error);
  return toText(fields.message) ?? toText(inner?.message) ?? toJson(error) ?? "";
};

const findStatus = (fields: Record<string, unknown>): number | undefined => {
  for (const value of [fields.statusCode, fields.status, fields.code].map(toText)) {
    const status = Number(value);
    if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  }
  return undefined;
};

const findNetworkCode = (error: unknown): string | undefined => {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const code = toRecord(current)?.code;
    if (typeof code === "string" && /^(E[A-Z]{3,}|UND_ERR_|CERT_|DEPTH_|ERR_TLS)/.test(code)) {
      return code;
    }
    current = current.cause;
  }
  return undefined;
};

const toRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null ? { ...value } : undefined;

const toText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const toJson = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    // The value has a cycle; classify by the other fields.
    return undefined;
  }
};

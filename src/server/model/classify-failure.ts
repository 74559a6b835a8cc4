import type { ErrorKind } from "@/contract/chat-error";
import type { ProviderName } from "@/contract/model";
import { redactSecrets } from "@/lib/redact-secrets";
import { toErrorDetails, type ErrorDetails } from "./error-details";
import { findFailureRule } from "./failure-rules";
import type { ModelFailure } from "./model-step";
import { parseRetryAfter } from "./parse-retry-after";
import { KEY_VARIABLE, PROVIDER_TITLE } from "./providers";

/** Longest detail, in code points. */
const MAX_DETAIL = 500;

/** A failure of a model call whose kind is known where it is thrown. */
export class ModelCallError extends Error {
  override readonly name = "ModelCallError";

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly retryable = false,
  ) {
    super(message);
  }
}

/**
 * Classifies a thrown error or the error of an `error` part: its kind, a message for people, the
 * provider's message with secrets redacted, and whether a retry can help.
 */
export const classifyFailure = (
  error: unknown,
  provider: ProviderName,
  now: Date,
): ModelFailure => {
  if (error instanceof ModelCallError) {
    const { kind, message, retryable } = error;
    return { kind, message, retryable, provider };
  }
  const details = toErrorDetails(error);
  const { kind, retryable, predicate } = findFailureRule(details);
  const detail = toDetail(details.message);
  const waitMs = retryable
    ? (parseRetryAfter(details.headers, now) ?? parseRetryDelay(details))
    : undefined;
  return {
    kind,
    message: `${PROVIDER_TITLE[provider]} is ${predicate}${createHint(kind, provider)}`,
    ...(detail && { detail }),
    provider,
    retryable,
    ...(details.statusCode !== undefined && { status_code: details.statusCode }),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  };
};

const createHint = (kind: ModelFailure["kind"], provider: ProviderName): string =>
  kind === "auth" && provider !== "demo" ? ` Check ${KEY_VARIABLE[provider]}.` : "";

const toDetail = (message: string): string => {
  const clean = redactSecrets(message).replaceAll("\0", "").toWellFormed().trim();
  if (clean.length <= MAX_DETAIL) return clean;
  const points = Array.from(clean.slice(0, MAX_DETAIL * 2));
  return points.length <= MAX_DETAIL
    ? points.join("")
    : `${points.slice(0, MAX_DETAIL - 1).join("")}…`;
};

/** Google sends the delay in the response body, as `"retryDelay": "34s"`. */
const parseRetryDelay = ({ searchText }: ErrorDetails): number | undefined => {
  const seconds = /"retrydelay":\s*"(\d{1,4}(?:\.\d+)?)s"/.exec(searchText)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
};

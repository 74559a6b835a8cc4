import type { ProviderName } from "@/contract/model";
import { redactSecrets } from "@/lib/redact-secrets";
import { errorFacts, type ErrorFacts } from "./error-facts";
import { ruleFor } from "./failure-rules";
import { ModelCallError } from "./model-call-error";
import type { ModelFailure } from "./model-step";
import { KEY_VARIABLE, PROVIDER_TITLE } from "./provider-title";
import { retryAfter } from "./retry-after";

/** Longest detail, in code points. */
const MAX_DETAIL = 500;

/**
 * What a thrown error or a stream's `error` part means to a chat: its kind, a sentence for
 * people, the provider's own words without secrets, and whether trying again can help.
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
  const facts = errorFacts(error);
  const { kind, retryable, says } = ruleFor(facts);
  const detail = detailOf(facts.message);
  const waitMs = retryable ? (retryAfter(facts.headers, now) ?? wordedWait(facts)) : undefined;
  return {
    kind,
    message: `${PROVIDER_TITLE[provider]} is ${says}${hint(kind, provider)}`,
    ...(detail && { detail }),
    provider,
    retryable,
    ...(facts.statusCode !== undefined && { status_code: facts.statusCode }),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  };
};

const hint = (kind: ModelFailure["kind"], provider: ProviderName): string =>
  kind === "auth" && provider !== "demo" ? ` Check ${KEY_VARIABLE[provider]}.` : "";

const detailOf = (message: string): string => {
  const clean = redactSecrets(message).replaceAll("\0", "").toWellFormed().trim();
  if (clean.length <= MAX_DETAIL) return clean;
  const points = Array.from(clean.slice(0, MAX_DETAIL * 2));
  return points.length <= MAX_DETAIL
    ? points.join("")
    : `${points.slice(0, MAX_DETAIL - 1).join("")}…`;
};

/** Google says how long to wait in the body, as `"retryDelay": "34s"`. */
const wordedWait = ({ words }: ErrorFacts): number | undefined => {
  const seconds = /"retrydelay":\s*"(\d{1,4}(?:\.\d+)?)s"/.exec(words)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
};

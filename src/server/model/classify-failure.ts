import type { ErrorKind } from "@/contract/chat-error";
import { PROVIDERS } from "@/contract/providers";
import type { ProviderName } from "@/contract/model";
import { formatCountdown } from "@/lib/format";
import { redactSecrets } from "@/lib/redact-secrets";
import { explainUselessConnection } from "@/server/net/useless-connection";
import { maskSecrets, maskStart } from "@/server/mask-secrets";
import { toErrorDetails, type ErrorDetails } from "./error-details";
import { findFailureRule, findRemedy } from "./failure-rules";
import type { FileRefusal, ModelFailure } from "./model-step";
import { clipWaitMs, parseRetryAfter } from "./parse-retry-after";

/** Where keys and addresses are entered, at the end of a sentence or before a comma. */
export const MODELS_PAGE = "in Settings > Models";

/** Longest detail, in code points. */
const MAX_DETAIL = 500;
/** A provider that asks for a longer delay ends the turn: people are not at the page then, and decide themselves. */
const MAX_RETRY_AFTER_MS = 15 * 60 * 1_000;

/** A failure of a model call whose kind is known where it is thrown. */
export class ModelCallError extends Error {
  override readonly name = "ModelCallError";

  constructor(
    readonly kind: ErrorKind,
    message: string,
    /** As in `ModelFailure`. */
    readonly options: { retryable?: boolean; isUnusable?: boolean } = {},
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
  const known = findModelCallError(error);
  if (known) {
    const { kind, message, options } = known;
    return { kind, message, retryable: false, ...options, provider };
  }
  const useless = explainUselessConnection(error);
  return useless === undefined
    ? classifyDetails(toErrorDetails(error), provider, now)
    : {
        kind: "config",
        message: `${PROVIDERS[provider].title} ${useless}`,
        retryable: false,
        provider,
      };
};

const classifyDetails = (
  details: ErrorDetails,
  provider: ProviderName,
  now: Date,
): ModelFailure => {
  const { kind, retryable, predicate, isUnusable } = findFailureRule(details);
  const detail = toDetail(details.message);
  const waitMs = retryable
    ? (parseRetryAfter(details.headers, now) ?? parseRetryDelay(details))
    : undefined;
  const isTooLong = waitMs !== undefined && waitMs > MAX_RETRY_AFTER_MS;
  const hint = isTooLong ? createWaitHint(waitMs, now) : createHint(kind, provider, details);
  return {
    kind,
    message: `${PROVIDERS[provider].title} is ${predicate}${hint}`,
    ...(detail && { detail }),
    provider,
    retryable: retryable && !isTooLong,
    ...(details.statusCode !== undefined && { status_code: details.statusCode }),
    ...(waitMs !== undefined && !isTooLong && { retryAfterMs: waitMs }),
    ...(isUnusable && { isUnusable }),
  };
};

/** Causes that are looked at; the clients of providers wrap what is thrown while they read an answer. */
const MAX_CAUSES = 5;

const findModelCallError = (error: unknown): ModelCallError | undefined => {
  let current = error;
  for (let depth = 0; depth <= MAX_CAUSES && current instanceof Error; depth++) {
    if (current instanceof ModelCallError) return current;
    current = current.cause;
  }
  return undefined;
};

/** What providers and local servers say of images that a model does not take, or of content that is no text. */
const IMAGE_REFUSAL =
  /\bimages?\b.{0,80}(?:not|n't) (?:\w+ )?support|(?:not|n't) (?:\w+ )?support.{0,80}\bimages?\b|support.{0,20} image input|image_url.{0,80}(?:only supported|not allowed|unsupported)|(?:invalid|unsupported|unknown).{0,40}image_url|not a (?:multimodal|vision)|not multimodal|(?:multimodal|vision).{0,60}not (?:support|enabl)|content.{0,60}(?:must be|should be|expected) (?:a )?(?:valid )?string/;

/** What they say of documents that a model does not take. */
const PDF_REFUSAL =
  /\b(?:pdfs?|documents?|files?|input_file)\b.{0,80}(?:not|n't) (?:\w+ )?support|(?:not|n't) (?:\w+ )?support.{0,80}\b(?:pdfs?|documents?|files?|input_file)\b|\b(?:invalid|unsupported|unknown)\b.{0,40}(?:input_file|file_data|application\/pdf|\bfile\b|\bdocument\b)/;

/** What they say of one document: it is damaged, has a password, or too many pages. */
const DOCUMENT_REFUSAL =
  /\bpdfs?\b.{0,60}(?:not valid|\binvalid\b|damaged|corrupt|password|encrypt|could not|cannot)|(?:not valid|\binvalid\b|damaged|corrupt|password|encrypt).{0,60}\bpdfs?\b|pdf pages|\bdocument\b.{0,40}\bpages\b/;

/** Reads what an error says of the images and documents of a request. */
export const readFileRefusal = (error: unknown): FileRefusal => {
  const text = error instanceof ModelCallError ? "" : toErrorDetails(error).searchText;
  return {
    images: IMAGE_REFUSAL.test(text),
    pdfs: PDF_REFUSAL.test(text),
    document: DOCUMENT_REFUSAL.test(text),
  };
};

/** Names the time in UTC, as the server does not know the reader's time zone. */
const createWaitHint = (waitMs: number, now: Date): string => {
  const at = new Date(now.getTime() + waitMs).toISOString();
  return ` It asks to wait ${formatCountdown(waitMs)}. Try again after ${at.slice(0, 10)} ${at.slice(11, 16)} UTC.`;
};

const createHint = (kind: ErrorKind, provider: ProviderName, details: ErrorDetails): string => {
  const { variables } = PROVIDERS[provider];
  if (kind === "auth" && variables) {
    return ` Enter it again ${MODELS_PAGE}, or check ${variables.key.name}.`;
  }
  const remedy = kind === "config" ? findRemedy(details) : undefined;
  return remedy === undefined ? "" : ` ${remedy}`;
};

const toDetail = (message: string): string => {
  const masked = maskStart(message, 2 * MAX_DETAIL, (text) => redactSecrets(maskSecrets(text)));
  const clean = masked.replaceAll("\0", "").toWellFormed().trim();
  if (clean.length <= MAX_DETAIL) return clean;
  const points = Array.from(clean.slice(0, MAX_DETAIL * 2));
  return points.length <= MAX_DETAIL
    ? points.join("")
    : `${points.slice(0, MAX_DETAIL - 1).join("")}…`;
};

/** Google sends the delay in the response body, as `"retryDelay": "34s"`. */
const parseRetryDelay = ({ searchText }: ErrorDetails): number | undefined => {
  const seconds = /"retrydelay":\s*"(\d+(?:\.\d+)?)s"/.exec(searchText)?.[1];
  return seconds === undefined ? undefined : clipWaitMs(Number(seconds) * 1_000);
};

import type { ErrorKind } from "@/contract/chat-error";
import type { ErrorDetails } from "./error-details";

type FailureRule = {
  kind: ErrorKind;
  retryable: boolean;
  /** Completes the sentence "<Provider> is …". */
  predicate: string;
  /** As in `ModelFailure`. */
  isUnusable?: true;
  matches: (details: ErrorDetails) => boolean;
};

const hasText = (details: ErrorDetails, pattern: RegExp): boolean =>
  pattern.test(details.searchText);
const hasStatus = (details: ErrorDetails, ...statuses: number[]): boolean =>
  details.statusCode !== undefined && statuses.includes(details.statusCode);

/** A proxy's page, as `readServerBody` says it. */
const isPage = ({ message }: ErrorDetails): boolean => message.startsWith("a web page: ");
/** Of a network that wants a person to sign in. */
const SIGN_IN_STATUS = 511;

const TRUNCATED_STREAM =
  /without a finish reason|stream ended|premature|^terminated|other side closed/;
/** What the AI SDK says of a connection that has failed after the status of the answer. */
const BROKEN_STREAM = /failed to process successful response/;
const CONTEXT_OVERFLOW =
  /context[_ ]length[_ ]exceeded|maximum context length|context window|prompt is too long|input token count.{0,40}exceeds|input is too long|exceeds the (?:available )?context size/;
const QUOTA =
  /insufficient_quota|current quota|quota (?:has been )?exhausted|billing|credit balance|payment required|usage limit|spend(?:ing)? limit/;
const SHORT_TERM_LIMIT = /retrydelay|retry in \d|per ?minute/;
const INVALID_KEY =
  /api[_ -]?key[_ ](?:not[_ ]valid|invalid)|(?:invalid|incorrect)[_ -](?:x-)?api[_ -]key|authentication_error|invalid authentication/;
const UNKNOWN_MODEL =
  /model_not_found|model.{0,200}(?:does not exist|not found|not supported|no access|not have access)|not have access to (?:the )?model/;
const RATE_LIMIT = /rate[_ ]limit|too many requests|resource_exhausted|resource exhausted/;
const CONTENT_FILTER =
  /content_filter|content[_ ]policy|content management policy|responsible ?ai|prohibited_content|blocked by.{0,40}safety|flagged as/;
const INVALID_REQUEST =
  /invalid_request_error|invalid_argument|invalid_prompt|not_found_error|unsupported|not supported|invalid value/;
/** What Anthropic's SDK says of an event that it does not know. */
const UNREADABLE_EVENT = /expected a normalized anthropic stream error/;
const UNREADABLE = ["AI_InvalidResponseDataError", "AI_TypeValidationError"];
const SDK_REFUSALS = [
  "AI_UnsupportedFunctionalityError",
  "AI_NoSuchModelError",
  "AI_InvalidPromptError",
  "AI_InvalidArgumentError",
  "AI_LoadSettingError",
];

/**
 * The first matching rule applies. Providers reuse status codes, so specific rules come first: an
 * exhausted quota can be a 429, an invalid key a 400, and an unknown model a 403.
 */
const FAILURE_RULES: FailureRule[] = [
  {
    kind: "generic",
    retryable: true,
    predicate: "sending an answer that cannot be read.",
    isUnusable: true,
    matches: (details) =>
      (UNREADABLE.includes(details.name) && !hasText(details, TRUNCATED_STREAM)) ||
      hasText(details, UNREADABLE_EVENT),
  },
  {
    kind: "timeout",
    retryable: true,
    predicate: "not answering: the connection ended early.",
    matches: (details) =>
      hasText(details, /cannot connect to api/) && hasText(details, TRUNCATED_STREAM),
  },
  {
    kind: "timeout",
    retryable: true,
    predicate: "not finishing its answer: the connection ended early.",
    isUnusable: true,
    matches: (details) =>
      details.statusCode === undefined &&
      (["AI_EmptyResponseBodyError", "AI_JSONParseError"].includes(details.name) ||
        hasText(details, TRUNCATED_STREAM) ||
        (hasText(details, BROKEN_STREAM) &&
          /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(details.networkCode ?? ""))),
  },
  {
    kind: "overloaded",
    retryable: true,
    predicate: "overloaded right now.",
    matches: (details) => hasStatus(details, 529) || hasText(details, /overloaded/),
  },
  {
    kind: "context_overflow",
    retryable: false,
    predicate: "refusing the conversation because it is longer than the model can read.",
    matches: (details) =>
      !hasStatus(details, 429) && (hasStatus(details, 413) || hasText(details, CONTEXT_OVERFLOW)),
  },
  {
    kind: "quota",
    retryable: false,
    predicate: "refusing requests because the account's quota or credit is used up.",
    // Google's per-minute limits read like account quotas, but they include a retry delay.
    matches: (details) =>
      hasStatus(details, 402) || (hasText(details, QUOTA) && !hasText(details, SHORT_TERM_LIMIT)),
  },
  {
    kind: "auth",
    retryable: false,
    predicate: "refusing the API key.",
    matches: (details) =>
      hasStatus(details, 401) ||
      hasText(details, INVALID_KEY) ||
      (hasStatus(details, 403) && !hasText(details, UNKNOWN_MODEL) && !isPage(details)),
  },
  {
    kind: "rate_limit",
    retryable: true,
    predicate: "limiting how fast requests may come.",
    matches: (details) => hasStatus(details, 429) || hasText(details, RATE_LIMIT),
  },
  {
    kind: "content_filter",
    retryable: false,
    predicate: "withholding an answer because of its content rules.",
    matches: (details) => hasText(details, CONTENT_FILTER),
  },
  {
    kind: "stalled",
    retryable: true,
    predicate: "silent: the answer stopped on the way.",
    matches: (details) => details.networkCode === "UND_ERR_BODY_TIMEOUT",
  },
  {
    kind: "timeout",
    retryable: true,
    predicate: "taking too long to answer.",
    matches: (details) =>
      hasStatus(details, 408, 502, 503, 504) || /TIMEOUT|TIMEDOUT/.test(details.networkCode ?? ""),
  },
  {
    kind: "config",
    retryable: false,
    predicate: "refusing the request as it is configured.",
    matches: (details) =>
      SDK_REFUSALS.includes(details.name) ||
      hasStatus(details, SIGN_IN_STATUS) ||
      (details.statusCode !== undefined && details.statusCode < 500) ||
      (details.statusCode === undefined &&
        (hasText(details, UNKNOWN_MODEL) || hasText(details, INVALID_REQUEST))),
  },
  {
    kind: "generic",
    retryable: true,
    predicate: "having a problem on its side.",
    matches: (details) => details.statusCode !== undefined,
  },
  {
    kind: "generic",
    retryable: true,
    predicate: "not reachable.",
    matches: (details) =>
      details.networkCode !== undefined ||
      hasText(
        details,
        /cannot connect|fetch failed|network error|socket hang up|connection (?:error|reset)/,
      ),
  },
  {
    kind: "generic",
    retryable: true,
    predicate: "having a problem on its side.",
    matches: (details) =>
      details.retryable === true || hasText(details, /server_error|internal error|api_error/),
  },
];

const UNKNOWN_FAILURE: FailureRule = {
  kind: "generic",
  retryable: false,
  predicate: "failing in an unexpected way.",
  matches: () => true,
};

/** Finds the first rule that matches; unknown errors are generic and not retryable. */
export const findFailureRule = (details: ErrorDetails): FailureRule =>
  FAILURE_RULES.find(({ matches }) => matches(details)) ?? UNKNOWN_FAILURE;

type Remedy = {
  /** A whole sentence. */
  text: string;
  matches: (details: ErrorDetails) => boolean;
};

const AS_XML = "call tools as XML, in Settings > Models";

/** What a person can do, where servers name a reason that is always the same. */
const REMEDIES: Remedy[] = [
  {
    text: `Start vLLM with --enable-auto-tool-choice and --tool-call-parser, or let the model ${AS_XML}.`,
    matches: (details) => hasText(details, /enable-auto-tool-choice|tool-call-parser/),
  },
  {
    text: `Let the model ${AS_XML}.`,
    matches: (details) =>
      hasText(
        details,
        /(?:not|n't) support (?:the use of )?(?:tools?|functions?)\b|support tool use|(?:tools?|function calling|tool (?:use|calling)) (?:is|are) not supported|`?tools`? (?:parameter )?is not supported/,
      ),
  },
  {
    text: 'Run "ollama pull" with the name of the model where the server runs.',
    matches: (details) => hasText(details, /try pulling it/),
  },
  {
    text: "Check the address in Settings > Models: does it lack /v1?",
    matches: (details) =>
      (hasStatus(details, 403, 404, 405, SIGN_IN_STATUS) && isPage(details)) ||
      (hasStatus(details, 404, 405) &&
        /page not found|method not allowed|unexpected endpoint|not found\.?$/i.test(
          details.message,
        ) &&
        !hasText(details, /model/)),
  },
];

/** @returns what a person can do about a refusal, if that is known. */
export const findRemedy = (details: ErrorDetails): string | undefined =>
  REMEDIES.find(({ matches }) => matches(details))?.text;

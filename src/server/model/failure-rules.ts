import type { ErrorKind } from "@/contract/chat-error";
import type { ErrorFacts } from "./error-facts";

type FailureRule = {
  kind: ErrorKind;
  retryable: boolean;
  /** What the provider is doing, after "<Provider> is". */
  says: string;
  when: (facts: ErrorFacts) => boolean;
};

const says = (facts: ErrorFacts, pattern: RegExp): boolean => pattern.test(facts.words);
const has = (facts: ErrorFacts, ...statuses: number[]): boolean =>
  facts.statusCode !== undefined && statuses.includes(facts.statusCode);

const TRUNCATED = /without a finish reason|stream ended|premature|^terminated|other side closed/;
const OVERFLOW =
  /context[_ ]length[_ ]exceeded|maximum context length|context window|prompt is too long|input token count.{0,40}exceeds|input is too long|exceeds the (?:available )?context size/;
const QUOTA =
  /insufficient_quota|current quota|quota (?:has been )?exhausted|billing|credit balance|payment required|usage limit|spend(?:ing)? limit/;
const SHORT_LIMIT = /retrydelay|retry in \d|per ?minute/;
const BAD_KEY =
  /api[_ -]?key[_ ](?:not[_ ]valid|invalid)|(?:invalid|incorrect)[_ -](?:x-)?api[_ -]key|authentication_error|invalid authentication/;
const NO_SUCH_MODEL =
  /model_not_found|model.{0,200}(?:does not exist|not found|not supported|no access|not have access)|not have access to (?:the )?model/;
const RATE = /rate[_ ]limit|too many requests|resource_exhausted|resource exhausted/;
const FILTER =
  /content_filter|content[_ ]policy|content management policy|responsible ?ai|prohibited_content|blocked by.{0,40}safety|flagged as/;
const WRONG_REQUEST =
  /invalid_request_error|invalid_argument|invalid_prompt|not_found_error|unsupported|not supported|invalid value/;
const LIBRARY_REFUSALS = [
  "AI_UnsupportedFunctionalityError",
  "AI_NoSuchModelError",
  "AI_InvalidPromptError",
  "AI_InvalidArgumentError",
  "AI_LoadSettingError",
];

/**
 * The rules in the order in which they are asked; the first that holds wins. The order matters
 * where providers reuse a status: a used-up quota is a 429, a bad key a 400, a wrong model a 403.
 */
const FAILURE_RULES: FailureRule[] = [
  {
    kind: "timeout",
    retryable: true,
    says: "not finishing its answer: the connection ended early.",
    when: (facts) =>
      facts.statusCode === undefined &&
      (["AI_EmptyResponseBodyError", "AI_JSONParseError"].includes(facts.name) ||
        says(facts, TRUNCATED)),
  },
  {
    kind: "overloaded",
    retryable: true,
    says: "overloaded right now.",
    when: (facts) => has(facts, 529) || says(facts, /overloaded/),
  },
  {
    kind: "context_overflow",
    retryable: false,
    says: "refusing the conversation because it is longer than the model can read.",
    when: (facts) => !has(facts, 429) && (has(facts, 413) || says(facts, OVERFLOW)),
  },
  {
    kind: "quota",
    retryable: false,
    says: "refusing requests because the account's quota or credit is used up.",
    // Google words the limits of a minute like those of an account, and says when to come back.
    when: (facts) => has(facts, 402) || (says(facts, QUOTA) && !says(facts, SHORT_LIMIT)),
  },
  {
    kind: "auth",
    retryable: false,
    says: "refusing the API key.",
    when: (facts) =>
      has(facts, 401) || says(facts, BAD_KEY) || (has(facts, 403) && !says(facts, NO_SUCH_MODEL)),
  },
  {
    kind: "rate_limit",
    retryable: true,
    says: "limiting how fast requests may come.",
    when: (facts) => has(facts, 429) || says(facts, RATE),
  },
  {
    kind: "content_filter",
    retryable: false,
    says: "withholding an answer because of its content rules.",
    when: (facts) => says(facts, FILTER),
  },
  {
    kind: "stalled",
    retryable: true,
    says: "silent: the answer stopped on the way.",
    when: (facts) => facts.networkCode === "UND_ERR_BODY_TIMEOUT",
  },
  {
    kind: "timeout",
    retryable: true,
    says: "taking too long to answer.",
    when: (facts) =>
      has(facts, 408, 502, 503, 504) || /TIMEOUT|TIMEDOUT/.test(facts.networkCode ?? ""),
  },
  {
    kind: "config",
    retryable: false,
    says: "refusing the request as it is configured.",
    when: (facts) =>
      LIBRARY_REFUSALS.includes(facts.name) ||
      (facts.statusCode !== undefined && facts.statusCode < 500) ||
      (facts.statusCode === undefined &&
        (says(facts, NO_SUCH_MODEL) || says(facts, WRONG_REQUEST))),
  },
  {
    kind: "generic",
    retryable: true,
    says: "having a problem on its side.",
    when: (facts) => facts.statusCode !== undefined,
  },
  {
    kind: "generic",
    retryable: true,
    says: "not reachable.",
    when: (facts) =>
      facts.networkCode !== undefined ||
      says(
        facts,
        /cannot connect|fetch failed|network error|socket hang up|connection (?:error|reset)/,
      ),
  },
  {
    kind: "generic",
    retryable: true,
    says: "having a problem on its side.",
    when: (facts) =>
      facts.retryable === true || says(facts, /server_error|internal error|api_error/),
  },
];

const UNKNOWN: FailureRule = {
  kind: "generic",
  retryable: false,
  says: "failing in an unexpected way.",
  when: () => true,
};

/** The first rule that holds; there always is one. */
export const ruleFor = (facts: ErrorFacts): FailureRule =>
  FAILURE_RULES.find(({ when }) => when(facts)) ?? UNKNOWN;

import { APICallError } from "@ai-sdk/provider";

type Failure = { status?: number; code: string };

/** Words that may follow `fail`; a status code may follow as well. */
const FAILURE_BY_WORD: Record<string, Failure> = {
  auth: { status: 401, code: "invalid_api_key" },
  quota: { status: 429, code: "insufficient_quota" },
  rate: { status: 429, code: "rate_limit_exceeded" },
  overloaded: { status: 529, code: "overloaded_error" },
  timeout: { status: 504, code: "timeout" },
  context: { status: 400, code: "context_length_exceeded" },
  filter: { status: 400, code: "content_filter" },
};

export type DemoFailure = {
  error: APICallError;
  /** Only the first of two calls with the same prompt fails. */
  failsOnce: boolean;
  /** The answer fails after a quarter of its text instead of before it. */
  isMidway: boolean;
};

/** Parses a `fail …` command into the error that a provider would send. */
export const parseFailure = (text: string): DemoFailure | undefined => {
  const words: string[] = text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  if (words[0] !== "fail") return undefined;
  const failsOnce = words.includes("once");
  const error = toError(selectFailure(words, failsOnce));
  return { error, failsOnce, isMidway: words.includes("midway") };
};

const selectFailure = (words: string[], failsOnce: boolean): Failure => {
  const status = words.map(Number).find((number) => number >= 400 && number < 600);
  const named = words.map((word) => FAILURE_BY_WORD[word]).find(Boolean);
  if (status !== undefined) return { status, code: `status_${status}` };
  return named ?? (failsOnce ? { status: 500, code: "server_error" } : { code: "demo_failure" });
};

const toError = ({ status, code }: Failure): APICallError =>
  new APICallError({
    message: `The demo model failed, as you asked (${code}).`,
    url: "demo:",
    requestBodyValues: {},
    ...(status !== undefined && { statusCode: status }),
    ...(status === 429 && { responseHeaders: { "retry-after": "1" } }),
    isRetryable: false,
  });

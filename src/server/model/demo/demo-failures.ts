import { APICallError } from "@ai-sdk/provider";

type Failure = { status?: number; code: string; headers?: Record<string, string> };

/** What `fail …` can be followed by, besides a status. */
const BY_WORD: Record<string, Failure> = {
  auth: { status: 401, code: "invalid_api_key" },
  quota: { status: 429, code: "insufficient_quota" },
  rate: { status: 429, code: "rate_limit_exceeded" },
  overloaded: { status: 529, code: "overloaded_error" },
  timeout: { status: 504, code: "timeout" },
  context: { status: 400, code: "context_length_exceeded" },
  filter: { status: 400, code: "content_filter" },
};

/** Where in the answer a failure comes: instead of it, or in its middle. */
export type DemoFailure = { error: APICallError; once: boolean; midway: boolean };

/** The provider's error that `fail …` asks for, as a provider would send it. */
export const demoFailure = (text: string): DemoFailure | undefined => {
  const words: string[] = text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  if (words[0] !== "fail") return undefined;
  const once = words.includes("once");
  return { error: toError(failureIn(words, once)), once, midway: words.includes("midway") };
};

const failureIn = (words: string[], once: boolean): Failure => {
  const status = words.map(Number).find((number) => number >= 400 && number < 600);
  const named = words.map((word) => BY_WORD[word]).find(Boolean);
  if (status !== undefined) return { status, code: `status_${status}` };
  return named ?? (once ? { status: 500, code: "server_error" } : { code: "demo_failure" });
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

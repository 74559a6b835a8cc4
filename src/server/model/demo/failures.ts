import { APICallError } from "@ai-sdk/provider";

/** Codes and statuses by the word after `fail`; a status may follow as well. */
const FAILURES: Record<string, [code: string, statusCode: number]> = {
  auth: ["invalid_api_key", 401],
  quota: ["insufficient_quota", 429],
  overloaded: ["overloaded_error", 529],
  context: ["context_length_exceeded", 400],
  filter: ["content_filter", 400],
};

/** Parses a `fail …` command into the error that a provider would send. */
export const parseFailure = (text: string) => {
  const words: string[] = text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  if (words[0] !== "fail") return undefined;
  const status = words.map(Number).find((number) => number >= 400 && number < 600);
  const named = words.map((word) => FAILURES[word]).find(Boolean) ?? ["demo_failure"];
  const [code, statusCode] = status ? [`status_${status}`, status] : named;
  const error = new APICallError({
    message: `The demo model failed, as you asked (${code}).`,
    url: "demo:",
    requestBodyValues: {},
    ...(statusCode && { statusCode }),
    ...(statusCode === 429 && { responseHeaders: { "retry-after": "1" } }),
    isRetryable: false,
  });
  /** Only the first of two calls with the same prompt fails; or the answer fails in its midst. */
  return { error, isOnce: words.includes("once"), isMidway: words.includes("midway") };
};

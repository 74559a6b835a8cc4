import {
  APICallError,
  EmptyResponseBodyError,
  JSONParseError,
  NoSuchModelError,
} from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { classifyFailure, ModelCallError } from "./classify-failure";

const NOW = new Date("2026-01-02T03:04:05Z");

const httpError = (
  statusCode: number,
  message: string,
  rest: { body?: string; headers?: Record<string, string> } = {},
): APICallError =>
  new APICallError({
    message,
    url: "https://api.example.com/v1",
    requestBodyValues: {},
    statusCode,
    ...(rest.body !== undefined && { responseBody: rest.body }),
    ...(rest.headers && { responseHeaders: rest.headers }),
  });

const networkError = (code: string): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code }) });

const classify = (error: unknown) => classifyFailure(error, "openai", NOW);

describe("classifyFailure", () => {
  it.each([
    [408, "timeout", true],
    [429, "rate_limit", true],
    [500, "generic", true],
    [501, "generic", true],
    [502, "timeout", true],
    [503, "timeout", true],
    [504, "timeout", true],
    [529, "overloaded", true],
    [400, "config", false],
    [401, "auth", false],
    [402, "quota", false],
    [403, "auth", false],
    [404, "config", false],
    [413, "context_overflow", false],
    [422, "config", false],
  ] as const)("classifies a plain %i as %s", (status, kind, retryable) => {
    const failure = classify(httpError(status, "no"));
    expect(failure).toMatchObject({ kind, retryable, status_code: status, provider: "openai" });
  });

  it.each([
    [
      "OpenAI's exhausted quota",
      429,
      "You exceeded your current quota, please check your plan and billing details.",
      "quota",
    ],
    [
      "OpenAI's per-minute limit",
      429,
      "Rate limit reached for gpt-5 on tokens per min (TPM): Limit 1, Used 1",
      "rate_limit",
    ],
    [
      "Anthropic's exhausted credit",
      400,
      "Your credit balance is too low to access the Anthropic API.",
      "quota",
    ],
    ["Google's invalid key", 400, "API key not valid. Please pass a valid API key.", "auth"],
    ["OpenAI's invalid key", 401, "Incorrect API key provided: sk-abc***xyz.", "auth"],
    ["Anthropic's invalid key", 401, "invalid x-api-key", "auth"],
    ["a model without access", 403, "Project does not have access to model `gpt-9`", "config"],
    [
      "an unknown model",
      404,
      "The model `gpt-9` does not exist or you do not have access to it.",
      "config",
    ],
    [
      "OpenAI's context overflow",
      400,
      "This model's maximum context length is 8192 tokens.",
      "context_overflow",
    ],
    [
      "Anthropic's context overflow",
      400,
      "prompt is too long: 210000 tokens > 200000 maximum",
      "context_overflow",
    ],
    [
      "Google's context overflow",
      400,
      "The input token count (2000000) exceeds the maximum number of tokens allowed",
      "context_overflow",
    ],
    [
      "Google's overloaded model",
      503,
      "The model is overloaded. Please try again later.",
      "overloaded",
    ],
    [
      "a filtered prompt",
      400,
      "The response was filtered due to the prompt triggering Azure's content management policy.",
      "content_filter",
    ],
    [
      "an unsupported option",
      400,
      "Unsupported value: 'temperature' does not support 0.5 with this model.",
      "config",
    ],
  ] as const)("classifies %s", (...[, status, message, kind]) => {
    expect(classify(httpError(status, message)).kind).toBe(kind);
  });

  it("finds error codes in the response body", () => {
    const body = JSON.stringify({ error: { code: "insufficient_quota", message: "No." } });
    expect(classify(httpError(429, "No.", { body })).kind).toBe("quota");
  });

  it("classifies Google's per-minute limit as a retryable rate limit", () => {
    const body = JSON.stringify({
      error: {
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.2s" }],
      },
    });
    const error = httpError(429, "You exceeded your current quota, check billing.", { body });
    expect(classify(error)).toMatchObject({
      kind: "rate_limit",
      retryable: true,
      retryAfterMs: 34_200,
    });
  });

  it.each([
    [
      "Anthropic's overloaded error",
      { message: "Overloaded", type: "overloaded_error", statusCode: 529 },
      "overloaded",
      true,
    ],
    [
      "a nested rate limit",
      { error: { message: "slow down", code: "rate_limit_exceeded" } },
      "rate_limit",
      true,
    ],
    ["a status code in `code`", { message: "busy", code: 503 }, "timeout", true],
    [
      "a server error",
      { message: "The server had an error", type: "server_error" },
      "generic",
      true,
    ],
    ["an invalid request", { message: "nope", type: "invalid_request_error" }, "config", false],
    [
      "an error that the SDK marks as retryable",
      { message: "hm", isRetryable: true },
      "generic",
      true,
    ],
    ["a string", "something odd", "generic", false],
    ["nothing", undefined, "generic", false],
    ["null", null, "generic", false],
  ] as const)("classifies an error inside a stream: %s", (...[, error, kind, retryable]) => {
    expect(classify(error)).toMatchObject({ kind, retryable });
  });

  it.each([
    ["ECONNREFUSED", "generic"],
    ["ENOTFOUND", "generic"],
    ["ECONNRESET", "generic"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
    ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
    ["UND_ERR_BODY_TIMEOUT", "stalled"],
    ["ETIMEDOUT", "timeout"],
  ] as const)("reports a connection error with %s as retryable", (code, kind) => {
    expect(classify(networkError(code))).toMatchObject({ kind, retryable: true });
  });

  it.each([
    ["an empty body", new EmptyResponseBodyError()],
    ["a truncated chunk", new JSONParseError({ text: '{"a', cause: new Error("end") })],
    ["a closed socket", new TypeError("terminated")],
    [
      "a connection that was reset",
      new APICallError({
        message: "Failed to process successful response",
        url: "https://api.example.com/v1",
        requestBodyValues: {},
        cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
      }),
    ],
  ])("classifies %s as a truncated answer", (_name, error) => {
    expect(classify(error)).toMatchObject({ kind: "timeout", retryable: true, isUnusable: true });
  });

  it("classifies errors of the SDK as configuration errors", () => {
    const error = new NoSuchModelError({ modelId: "x", modelType: "languageModel" });
    expect(classify(error)).toMatchObject({ kind: "config", retryable: false });
  });

  it("preserves a ModelCallError", () => {
    const failure = classify(new ModelCallError("missing_key", "OpenAI is not set up."));
    expect(failure).toEqual({
      kind: "missing_key",
      message: "OpenAI is not set up.",
      retryable: false,
      provider: "openai",
    });
  });

  it.each([
    [404, '{"detail":"Not Found"}', "Not Found", "config", true],
    [404, '{"errors":[{"code":7003,"message":"No route."}]}', "No route.", "config", false],
    [400, '{"Message":"The oven is cold."}', "The oven is cold.", "config", false],
    [404, '{"errors":"Route not found."}', "Route not found.", "config", true],
    [404, '{"error":"The model was not found"}', "The model was not found", "config", false],
    [400, '{"error":{"message":"{\\"detail\\":\\"Inner\\"}"}}', "Inner", "config", false],
    [400, '{"error":"{not JSON"}', "{not JSON", "config", false],
    [403, "<html><title>Denied</title></html>", "a web page: Denied", "config", true],
    [403, '{"error":"Denied"}', "Denied", "auth", false],
    [511, "<!doctype html><title>Sign in</title>", "a web page: Sign in", "config", true],
  ])("says what the server said with status %i: %s", (status, body, detail, kind, hasHint) => {
    const failure = classify(httpError(status, "no", { body }));
    expect(failure).toMatchObject({ detail, kind, retryable: false });
    expect(failure.message.includes("does it lack /v1?")).toBe(hasHint);
  });

  it("ignores a status that is no integer", () => {
    expect(classify({ message: "odd", code: 429.5 })).not.toHaveProperty("status_code");
  });

  it("names the environment variable of a rejected key", () => {
    expect(classify(httpError(401, "no")).message).toBe(
      "OpenAI is refusing the API key. Enter it again in Settings > Models, or check OPENAI_API_KEY.",
    );
    expect(classifyFailure(httpError(401, "no"), "demo", NOW).message).toBe(
      "The demo model is refusing the API key.",
    );
  });

  it.each([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
    [{ "retry-after": "Fri, 02 Jan 2026 03:04:35 GMT" }, 30_000],
    [{ "retry-after": "Fri, 02 Jan 2026 03:00:00 GMT" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "900" }, 900_000],
    [{}, undefined],
  ])("parses %j as a delay of %s ms", (headers, expected) => {
    expect(classify(httpError(429, "slow", { headers })).retryAfterMs).toBe(expected);
  });

  it.each([
    [{ "retry-after": "901" }, "15m 01s", "2026-01-02 03:19"],
    [{ "retry-after": "Sat, 03 Jan 2026 03:04:05 GMT" }, "1d 0h", "2026-01-03 03:04"],
    [{ "retry-after-ms": "1e300" }, "30d 0h", "2026-02-01 03:04"],
    [{ "retry-after": "Infinity" }, "30d 0h", "2026-02-01 03:04"],
  ])("does not retry after %j, and names the time", (headers, wait, time) => {
    expect(classify(httpError(429, "slow", { headers }))).toMatchObject({
      kind: "rate_limit",
      retryable: false,
      message: `OpenAI is limiting how fast requests may come. It asks to wait ${wait}. Try again after ${time} UTC.`,
    });
  });

  it("has no delay when the failure is not retryable", () => {
    const error = httpError(401, "no", { headers: { "retry-after": "7" } });
    expect(classify(error)).not.toHaveProperty("retryAfterMs");
  });

  it("truncates the detail to 500 code points and redacts secrets", () => {
    const { detail = "" } = classify(httpError(400, `sk-abcdefghijkl ${"😀".repeat(600)}\0`));
    expect(detail).toMatch(/^\[redacted\] 😀/);
    expect(Array.from(detail)).toHaveLength(500);
    expect(detail.isWellFormed()).toBe(true);
    expect(classify(httpError(400, "a".repeat(501))).detail).toHaveLength(500);
    expect(classify(httpError(400, "a".repeat(500))).detail).toBe("a".repeat(500));
  });
});

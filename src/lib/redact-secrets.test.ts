import { describe, expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets";

const letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCD";

describe("redactSecrets", () => {
  it.each([
    ["an OpenAI key", `Incorrect API key provided: sk-proj-${letters}.`],
    ["a key that the provider partly masked", "Incorrect API key provided: sk-abcde****wxyz."],
    ["an Anthropic key", `x-api-key sk-ant-api03-${letters}`],
    ["a Google key", `key AIza${letters}`],
    ["a bearer token", `Authorization: Bearer ${letters}`],
    ["basic credentials", "authorization: basic dXNlcjpwYXNzd29yZA=="],
    ["a GitHub token", `token ghp_${letters}`],
    ["an AWS key id", "AKIAABCDEFGHIJKLMNOP is not allowed"],
    ["a JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123"],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----"],
    ["a key in a URL", `GET https://example.com/v1?alt=sse&key=${letters}&x=1 failed`],
    ["a password in a URL", "postgres://me:abcdefghij@localhost:5432/db"],
    ["a JSON field", `{"api_key": "${letters}"}`],
    ["a variable", `OPENAI_API_KEY=${letters}`],
    ["a header", `x-api-key: ${letters}`],
  ])("masks %s", (_name, text) => {
    const redacted = redactSecrets(text);
    expect(redacted).toContain("[redacted]");
    for (const secret of ["abcde", "wxyz", "dXNl", "ABCDEFGH", "eyJ", "MIIE"]) {
      expect(redacted).not.toContain(secret);
    }
  });

  it("keeps the text around a secret", () => {
    expect(redactSecrets("postgres://me:abcdefghij@localhost:5432/db")).toBe(
      "postgres://me:[redacted]@localhost:5432/db",
    );
    expect(redactSecrets(`GET https://example.com/?key=${letters}&x=1 failed`)).toBe(
      "GET https://example.com/?key=[redacted]&x=1 failed",
    );
  });

  it.each([
    "The model `gpt-5` does not exist or you do not have access to it.",
    "Your task-force asked for a key insight; the password is required.",
    "https://example.com/path?page=2&sort=key",
    "the risk-adjusted desk-bound sk- prefix",
    "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.",
  ])("does not change ordinary text: %s", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it("masks a long text without spaces within a second", () => {
    const text = `${"a".repeat(200_000)} ${"key=".repeat(50_000)}`;
    const start = performance.now();
    redactSecrets(text);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

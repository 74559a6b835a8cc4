import { describe, expect, it } from "vitest";
import { maskKeys, redactSecrets } from "./redact-secrets";

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
    expect(redactSecrets("http://me:half@other-half@proxy.test failed")).toBe(
      "http://me:[redacted]@proxy.test failed",
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
});

const body = `MII${letters}+/${letters}`;

describe("maskKeys", () => {
  it("masks a token after other words, and keeps these", () => {
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123";
    expect(maskKeys(`session-${token} eyJ-${token}`)).toBe("session-[redacted] [redacted]");
    expect(maskKeys("session-eyJ.eyJhbGciOiJIUzI1NiJ9.a")).toBe(
      "session-eyJ.eyJhbGciOiJIUzI1NiJ9.a",
    );
  });

  it.each([
    ["an OpenAI key", `sk-${letters}12345678`],
    ["a project's key", `sk-proj-A1_b-${letters}`],
    ["an Anthropic key", `sk-ant-api03-${letters}-AA`],
    ["a key of hexadecimal digits", "sk-or-v1-0a1b2c3d4e5f60718293a4b5c6d7e8f9"],
    ["a Google key", `AIza${letters.slice(0, 35)}`],
    ["a GitHub token", `ghp_${letters.slice(0, 36)}`],
    ["a JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123"],
    ["a private key", `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`],
    [
      "a private key with numbered lines",
      `-----BEGIN RSA PRIVATE KEY-----\n2\t${body}\n3\t${body}\n-----END RSA PRIVATE KEY-----`,
    ],
    [
      "an encrypted private key",
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${body}\n-----END RSA PRIVATE KEY-----`,
    ],
    [
      "a private key in JSON",
      JSON.stringify(`-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`).slice(
        1,
        -1,
      ),
    ],
    ["a key of this API", `parley_${letters}abc`],
    [
      "a PGP key",
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2.4 (Linux)\n\n${body}\n=A1b2\n-----END PGP PRIVATE KEY BLOCK-----`,
    ],
    [
      "a private key in comments",
      `-----BEGIN PRIVATE KEY-----\n# ${body}\n# -----END PRIVATE KEY-----`,
    ],
    [
      "a private key in several strings",
      `-----BEGIN PRIVATE KEY-----\\n" +\n  "${body}\\n" +\n  "-----END PRIVATE KEY-----`,
    ],
    [
      "a large private key",
      `-----BEGIN PRIVATE KEY-----\n${`${body}\n`.repeat(150)}-----END PRIVATE KEY-----`,
    ],
    ["the start of a private key", `-----BEGIN PRIVATE KEY-----\n${body}\n7\t${body}`],
  ])("masks %s whole", (_name, key) => {
    expect(maskKeys(`const key = "${key}";`)).toBe('const key = "[redacted]";');
  });

  it.each([
    "type Login = { password: string; apiKey?: string };",
    "const apiKey = process.env.OPENAI_API_KEY;",
    'password: credentials.password, "secret": settings.clientSecret',
    'headers: { authorization: `Bearer ${accessToken}`, cookie: "session=abc" }',
    'const url = "postgres://user:password@localhost:5432/app?token=" + token;',
    "https://example.com/callback?access_token=YOUR_ACCESS_TOKEN&key=value",
    ".sk-folding-cube-animation-delay-1200 { } .sk-fading-circle .sk-circle12 { }",
    "npm_config_cache_directory_of_the_current_user",
    'const pem = "-----BEGIN PRIVATE KEY-----\\n" + body + "\\n-----END PRIVATE KEY-----";',
    "/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/",
    'const pem = ["-----BEGIN PRIVATE KEY-----", ...cutIntoLines(toBase64(exportKey(privateKey))), "-----END PRIVATE KEY-----"];',
    '"-----BEGIN PGP PRIVATE KEY BLOCK-----\\n" + armor(message.packets.write().toString("base64")) + "\\n-----END PGP PRIVATE KEY BLOCK-----"',
    "-----BEGIN PRIVATE KEY-----\nis the first line of a private key",
    "sk-... is the shape of a key; sk-your-own-key-goes-here-please stands for one",
  ])("leaves source code as it is: %s", (code) => {
    expect(maskKeys(code)).toBe(code);
  });
});

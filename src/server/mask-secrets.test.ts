import { expect, it } from "vitest";
import { parseEnv } from "./env";
import { listSecrets, maskValues } from "./mask-secrets";

const SETTINGS = {
  DATABASE_URL: "postgres://parley:words%20of%20the%20database@localhost/parley",
  PARLEY_SECRET: "cookies-are-signed-with-this-one",
  PARLEY_API_KEY: "programs-come-in-with-this-text-x",
  METRICS_TOKEN: "metrics-are-read-with-this-text-x",
  PARLEY_OWNER_EMAIL: "me@example.com",
  PARLEY_OWNER_PASSWORD: "correct horse battery",
  OPENAI_API_KEY: "the-key-of-a-gateway",
  OPENAI_COMPATIBLE_API_KEY: "ollama",
  TAVILY_API_KEY: "searches-come-with-this-text-a",
  BRAVE_API_KEY: "searches-come-with-this-text-b",
};
const secrets = listSecrets(parseEnv(SETTINGS));

it.each([
  SETTINGS.PARLEY_SECRET,
  SETTINGS.PARLEY_API_KEY,
  SETTINGS.METRICS_TOKEN,
  SETTINGS.PARLEY_OWNER_PASSWORD,
  SETTINGS.OPENAI_API_KEY,
  SETTINGS.TAVILY_API_KEY,
  SETTINGS.BRAVE_API_KEY,
  "words of the database",
])("masks a secret of the server that has no format: %s", (secret) => {
  expect(maskValues(`const key = "${secret}", other = "${secret}";`, secrets)).toBe(
    'const key = "[redacted]", other = "[redacted]";',
  );
});

it("masks a secret that contains another one whole", () => {
  const pair = ["long-enough-secret", "long-enough-secret-and-more"].toSorted(
    (a, b) => b.length - a.length,
  );
  expect(maskValues("long-enough-secret-and-more", pair)).toBe("[redacted]");
});

it("masks no setting that may be a word", () => {
  expect(secrets).not.toContain("ollama");
});

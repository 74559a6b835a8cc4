import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { listEnvironment } from "./env-settings/list-environment";
import { parseEnv } from "./env";
import { listSecrets, maskValues } from "./mask-secrets";

const random = (name: string): string => createHash("sha256").update(name).digest("base64url");

/** The names of all settings that are secrets, but for the password that a person has chosen. */
const SECRET_NAMES = listEnvironment()
  .map(({ name }) => name)
  .filter((name) => /_(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name))
  .filter((name) => name !== "PARLEY_OWNER_PASSWORD");
const listAll = (toValue: (name: string) => string) => {
  const names = [...SECRET_NAMES, "PARLEY_OWNER_PASSWORD", "MCP_OTHER"];
  return listSecrets(
    parseEnv({
      ...Object.fromEntries(names.map((name) => [name, toValue(name)])),
      PARLEY_OWNER_EMAIL: "me@example.com",
      DATABASE_URL: `postgres://parley:${encodeURIComponent(toValue("DATABASE_URL"))}@localhost/x`,
      HTTPS_PROXY: `http://${encodeURIComponent(toValue("HTTPS_PROXY"))}@proxy.test`,
    }),
  );
};
const secrets = listAll(random);

it("masks nothing that a person may have chosen, as the mask would say which guess is right", () => {
  expect(listAll((name) => `the secret of ${name}, chosen in 2026`)).toEqual([]);
  expect(listAll((name) => `${name}_Summer2026!${name}`)).toEqual([]);
});

it("masks no password of the owner, not even a random one", () => {
  const text = `216001 guesses: ${random("PARLEY_OWNER_PASSWORD")}`;
  expect(maskValues(text, secrets)).toBe(text);
});

it.each(
  [...SECRET_NAMES, "MCP_OTHER", "DATABASE_URL", "HTTPS_PROXY"].map((name) => [name, random(name)]),
)("masks the secret of %s, which has no format", (_, secret) => {
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
  expect(listSecrets(parseEnv({ OPENAI_COMPATIBLE_API_KEY: "ollama" }))).toEqual([]);
});

const maskWith = (variables: Record<string, string>, text: string): string =>
  maskValues(text, listSecrets(parseEnv(variables)));

describe("the password in a URL of the environment", () => {
  const password = "x9^Kq,7RwZ/pV2+mTbYc4Hd8Jf";
  const encoded = "x9%5EKq,7RwZ%2FpV2+mTbYc4Hd8Jf";

  it.each([
    ["HTTPS_PROXY", `http://me:${encoded}@proxy.test:3128`],
    ["https_proxy", `http://me:${encoded}@proxy.test:3128`],
    ["HTTP_PROXY", `me:${encoded}@proxy.test:3128`],
    ["ALL_PROXY", `socks5h://me:${encoded}@proxy.test`],
    ["PIP_EXTRA_INDEX_URL", `https://a.test/simple https://me:${encoded}@b.test/simple`],
    ["DATABASE_URL", `postgres://me:${encoded}@localhost/parley`],
  ])("%s is masked as it is, decoded, and as a header has it", (name, value) => {
    const secret = { PARLEY_SECRET: "x".repeat(32) };
    const header = Buffer.from(`me:${password}`).toString("base64");
    for (const text of [password, encoded, encodeURIComponent(password), header]) {
      expect(maskWith({ ...secret, [name]: value }, `<${text}>`)).toBe("<[redacted]>");
    }
    expect(maskWith({ ...secret, [name]: value }, value)).not.toContain(encoded);
  });

  it("that a person may have chosen is not masked, as it is and encoded", () => {
    const variables = { HTTPS_PROXY: "http://me:Summer%202026@proxy.test:3128" };
    const header = Buffer.from("me:Summer 2026").toString("base64");
    const text = `via http://me:Summer%202026@proxy.test:3128, Summer 2026, ${header}`;
    expect(maskWith(variables, text)).toBe(text);
  });

  it("may have any sign, and signs that are no encoding", () => {
    const proxy = "http://me:100%@x9Kq:7RwZ@pV2mTbYc4Hd8Jf@proxy.test";
    expect(maskWith({ HTTPS_PROXY: proxy }, proxy)).toBe("http://me:[redacted]@proxy.test");
    const database = "postgres://me:x9Kq%257RwZ-100%-pV2mTbYc4Hd8Jf@localhost/parley";
    expect(maskWith({ OTHER_DATABASE: database }, "x9Kq%257RwZ-100%-pV2mTbYc4Hd8Jf")).toBe(
      "[redacted]",
    );
  });

  it.each(["password", "sslpassword"])("may be the parameter %s", (name) => {
    const database = `postgres://localhost/parley?user=me&${name}=${encoded}&sslmode=require`;
    const variables = { DATABASE_URL: database, PARLEY_SECRET: "x".repeat(32) };
    for (const text of [password, encoded]) expect(maskWith(variables, text)).toBe("[redacted]");
  });

  it("may be a token in place of the user", () => {
    const token = random("NPM_CONFIG_REGISTRY");
    const variables = { NPM_CONFIG_REGISTRY: `https://${token}@npm.test/` };
    expect(maskWith(variables, token)).toBe("[redacted]");
  });

  it.each(["http://proxy.test:3128", "http://me@proxy.test", "me@example.com", "a:b@c", "http://"])(
    "is none in %s",
    (value) => {
      const known = listSecrets(parseEnv({ HTTPS_PROXY: "http://proxy.test", OTHER: value }));
      expect(known).toEqual([]);
    },
  );
});

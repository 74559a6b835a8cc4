import { describe, expect, it } from "vitest";
import { listEnvironment } from "./env-settings/list-environment";
import { parseEnv } from "./env";
import { listSecrets, maskValues } from "./mask-secrets";

/** Every setting whose name says that it is a secret, with a value that only it has. */
const NAMED_SECRETS = Object.fromEntries(
  listEnvironment()
    .filter(({ name }) => /_(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name))
    .map(({ name }): [string, string] => [name, `what nobody may read of ${name}`]),
);
const secrets = listSecrets(
  parseEnv({
    ...NAMED_SECRETS,
    PARLEY_OWNER_EMAIL: "me@example.com",
    DATABASE_URL: "postgres://parley:words%20of%20the%20database@localhost/parley",
  }),
);

it.each([...Object.entries(NAMED_SECRETS), ["DATABASE_URL", "words of the database"]])(
  "masks the secret of %s, which has no format",
  (_, secret) => {
    expect(maskValues(`const key = "${secret}", other = "${secret}";`, secrets)).toBe(
      'const key = "[redacted]", other = "[redacted]";',
    );
  },
);

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
  const password = "of the proxy, long";
  const encoded = "of%20the%20proxy,%20long";

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

  it("that is short is masked with its user only, as it may be a word", () => {
    const variables = { HTTPS_PROXY: "http://me:pw@proxy.test:3128" };
    expect(maskWith(variables, "via http://me:pw@proxy.test:3128, pw")).toBe(
      "via http://[redacted]proxy.test:3128, pw",
    );
    expect(maskWith(variables, "me, pw and proxy.test")).toBe("me, pw and proxy.test");
  });

  it("may have any sign, and signs that are no encoding", () => {
    const variables = { HTTPS_PROXY: "http://me:100%@of:it@all@proxy.test" };
    expect(maskWith(variables, "http://me:100%@of:it@all@proxy.test")).toBe(
      "http://[redacted]proxy.test",
    );
    const database = `postgres://me:100%25-and-100%-of-it@localhost/parley`;
    const settings = { DATABASE_URL: database, PARLEY_SECRET: "x".repeat(32) };
    expect(maskWith(settings, "100%25-and-100%-of-it")).toBe("[redacted]");
  });

  it("may be a token in place of the user", () => {
    const variables = { NPM_CONFIG_REGISTRY: "https://a-token-of-the-registry@npm.test/" };
    expect(maskWith(variables, "a-token-of-the-registry")).toBe("[redacted]");
  });

  it.each(["http://proxy.test:3128", "http://me@proxy.test", "me@example.com", "a:b@c", "http://"])(
    "is none in %s",
    (value) => {
      const known = listSecrets(parseEnv({ HTTPS_PROXY: "http://proxy.test", OTHER: value }));
      expect(known).toEqual([]);
    },
  );
});

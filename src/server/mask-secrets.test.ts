import { expect, it } from "vitest";
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

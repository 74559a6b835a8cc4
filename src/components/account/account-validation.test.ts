import { describe, expect, it } from "vitest";
import { validateEmail, validateName, validateNewPassword } from "./account-validation";

it.each<[name: string, ok: boolean]>([
  ["Ada", true],
  ["  ", false],
])("the name %j is valid: %s", (name, ok) => expect(validateName(name) === undefined).toBe(ok));

describe("an email address", () => {
  it.each<[email: string, ok: boolean]>([
    ["ada@example.com", true],
    [" ada@example.com ", true],
    ["ada+test@mail.example.com", true],
    ["", false],
    ["ada", false],
    ["ada@", false],
    ["a da@example.com", false],
  ])("%j is valid: %s", (email, ok) => expect(validateEmail(email) === undefined).toBe(ok));
});

describe("a new password", () => {
  it.each<[what: string, password: string, ok: boolean]>([
    ["no characters", "", false],
    ["seven characters", "1234567", false],
    ["eight characters", "12345678", true],
    ["words with spaces", "a b c d e", true],
    ["128 characters", "x".repeat(128), true],
    ["129 characters", "x".repeat(129), false],
  ])("of %s", (_what, password, ok) =>
    expect(validateNewPassword(password) === undefined).toBe(ok),
  );
});

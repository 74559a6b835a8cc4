import { describe, expect, it } from "vitest";
import { emailProblem, nameProblem, newPasswordProblem } from "./account-problems";

it.each<[name: string, ok: boolean]>([
  ["Ada", true],
  ["  ", false],
])("the name %j is taken: %s", (name, ok) => expect(nameProblem(name) === undefined).toBe(ok));

describe("an email address", () => {
  it.each<[email: string, ok: boolean]>([
    ["ada@example.com", true],
    [" ada@example.com ", true],
    ["ada+test@mail.example.com", true],
    ["", false],
    ["ada", false],
    ["ada@", false],
    ["a da@example.com", false],
  ])("%j is taken: %s", (email, ok) => expect(emailProblem(email) === undefined).toBe(ok));
});

describe("a new password", () => {
  it.each<[what: string, password: string, ok: boolean]>([
    ["nothing", "", false],
    ["seven characters", "1234567", false],
    ["eight characters", "12345678", true],
    ["spaces, which count", "a b c d e", true],
    ["128 characters", "x".repeat(128), true],
    ["129 characters", "x".repeat(129), false],
  ])("of %s", (_what, password, ok) => expect(newPasswordProblem(password) === undefined).toBe(ok));
});

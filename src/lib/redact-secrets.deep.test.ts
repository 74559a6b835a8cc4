import { describe, expect, it } from "vitest";
import { MAX_GROWTH, measureGrowth } from "@/test/cpu-time";
import { redactSecrets } from "./redact-secrets";

describe("redactSecrets", () => {
  it("takes a time that grows no faster than one long key of letters", async () => {
    const mask = (length: number) => redactSecrets(`sk-${"a".repeat(length)}`);
    expect(await measureGrowth("a key of letters", mask, 20_000)).toBeLessThan(MAX_GROWTH);
  });

  it.each([
    ["a word", "a"],
    ["an assignment", "key="],
    ["the beginning of a key", "sk-"],
    ["the beginning of many keys", "sk-a"],
    ["the beginning of many tokens", "-eyJhbGciOiJI"],
    ["words like the parts of tokens", "eyJhbGciOiJI."],
    ["private keys that do not end", "-----BEGIN PRIVATE KEY-----\nMIIE"],
    ["the beginning of a private key", "-----BEGIN PRIVATE KEY-----"],
    ["the beginning of a token", "eyJhbGciOiJI.eyJ"],
  ])("takes a time that grows no faster than a text of %s", async (name, unit) => {
    const mask = (length: number) => redactSecrets(unit.repeat(length / unit.length));
    expect(await measureGrowth(name, mask, 20_000)).toBeLessThan(MAX_GROWTH);
  });
});

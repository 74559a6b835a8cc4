import { describe, expect, it } from "vitest";
import { MAX_GROWTH, measureGrowth } from "@/test/cpu-time";
import { redactSecrets } from "./redact-secrets";

describe("redactSecrets", () => {
  it.each([
    ["a word", "a"],
    ["an assignment", "key="],
    ["the beginning of a key", "sk-"],
    ["the beginning of a private key", "-----BEGIN PRIVATE KEY-----"],
    ["the beginning of a token", "eyJhbGciOiJI.eyJ"],
  ])("takes a time that grows no faster than a text of %s", async (name, unit) => {
    const mask = (length: number) => redactSecrets(unit.repeat(length / unit.length));
    expect(await measureGrowth(name, mask, 20_000)).toBeLessThan(MAX_GROWTH);
  });
});

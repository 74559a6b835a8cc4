import { describe, expect, it } from "vitest";
import { toSentence, humanize } from "./humanize";

describe("humanize", () => {
  it.each([
    ["read_file", "Read file"],
    ["getUserName", "Get user name"],
    ["acme__ping", "Acme ping"],
    ["fetch-URL", "Fetch URL"],
    ["constructor", "Constructor"],
    ["__", "__"],
  ])("%s → %s", (name, text) => expect(humanize(name)).toBe(text));
});

describe("toSentence", () => {
  it.each([
    ["is required", "Is required."],
    ["Has ended already.", "Has ended already."],
    ["/results is missing", "/results is missing."],
  ])("%s → %s", (words, sentence) => expect(toSentence(words)).toBe(sentence));
});

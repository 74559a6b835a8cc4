import { describe, expect, it } from "vitest";
import {
  type SlashCommand,
  completeCommand,
  findCommandWord,
  findOpenCommand,
  matchCommands,
  readCommand,
} from "./commands";

const create = (name: string, ...names: string[]): SlashCommand => ({
  kind: "prompt",
  name,
  description: "",
  arguments: names.map((one, index) => ({ name: one, required: index === 0 })),
});
const PLAIN = create("docs:plain");
const ONE = create("docs:one", "city");
const TWO = create("docs:two", "city", "state");
const KNOWN = [PLAIN, ONE, TWO];

describe("the word after a slash", () => {
  it.each([
    ["/compact", "compact"],
    ["  /docs:plain\nmore", "docs:plain"],
    ["/docs:", "docs:"],
    ["/docs:a.b-c_d x", "docs:a.b-c_d"],
    ["/etc/hosts", undefined],
    ["/1 of 2", undefined],
    ["a /compact", undefined],
    ["/docs:a/b", undefined],
    ["/", undefined],
  ])("%j is %j", (text, word) => {
    expect(findCommandWord(text)).toBe(word);
  });
});

describe("a command that is written", () => {
  it.each([
    ["/docs:plain", {}, ""],
    ["/docs:plain What is this?", {}, "What is this?"],
    ["/docs:one New York", { city: "New York" }, ""],
    ["/docs:one city=Bonn And now?", { city: "Bonn" }, "And now?"],
    ['/docs:two city="New \\"York\\"" state=NY go', { city: 'New "York"', state: "NY" }, "go"],
    ["/docs:two state=", { state: "" }, ""],
    ["/docs:two city=a city=b", { city: "a" }, "city=b"],
    ["/docs:two town=a city=b", {}, "town=a city=b"],
    ['/docs:two city="open', { city: '"open' }, ""],
    ["/docs:two a=b", {}, "a=b"],
  ])("%j has its arguments", (text, args, rest) => {
    expect(readCommand(text, KNOWN)).toMatchObject({ arguments: args, rest });
  });

  it.each(["/docs:other", "/docs:plainer", "docs:plain", "/etc/hosts", ""])(
    "%j is none",
    (text) => {
      expect(readCommand(text, KNOWN)).toBeUndefined();
    },
  );

  it("is read in time, whatever follows", () => {
    const text = `/docs:two ${'city="\\'.repeat(30_000)}`;
    expect(readCommand(text, KNOWN)?.arguments.city?.length).toBe(
      text.length - "/docs:two city=".length,
    );
  });
});

describe("a command that is being written", () => {
  it.each([
    ["/", 1, { start: 0, query: "" }],
    [" /do", 4, { start: 1, query: "do" }],
    ["/docs:pl more", 8, { start: 0, query: "docs:pl" }],
    ["/docs", 3, undefined],
    ["a /do", 5, undefined],
    ["/docs:plain ", 12, undefined],
  ])("%j with the caret at %i", (text, caret, open) => {
    expect(findOpenCommand(text, caret)).toEqual(open);
  });

  it("is matched by the beginning of names first, until it is complete", () => {
    expect(matchCommands("", KNOWN)).toEqual(KNOWN);
    expect(matchCommands("o", [ONE, create("o:x")]).map(({ name }) => name)).toEqual([
      "o:x",
      "docs:one",
    ]);
    expect(matchCommands("DOCS:T", KNOWN)).toEqual([TWO]);
    expect(matchCommands("docs:two", KNOWN)).toEqual([]);
    expect(matchCommands("none", KNOWN)).toEqual([]);
  });

  it("is completed up to the first value that it needs", () => {
    const open = { start: 0, query: "do" };
    expect(completeCommand("/do", open, PLAIN)).toEqual({ text: "/docs:plain ", caret: 12 });
    expect(completeCommand("/do", open, ONE)).toEqual({ text: "/docs:one ", caret: 10 });
    expect(completeCommand("/do and", open, TWO)).toEqual({
      text: "/docs:two city= and",
      caret: 15,
    });
  });
});

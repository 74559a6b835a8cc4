import { describe, expect, it } from "vitest";
import {
  completeMention,
  findMentionables,
  findOpenMention,
  listMentionedNames,
  matchMentionables,
  type Mentionable,
} from "./mentions";

const known = (kind: Mentionable["kind"], name: string, isOffered = true): Mentionable => ({
  kind,
  name,
  description: "",
  isOffered,
});
const KNOWN = [
  known("group", "review"),
  known("group", "review_all"),
  known("tool", "read_file"),
  known("tool", "exec", false),
];
const namesIn = (text: string) =>
  findMentionables(listMentionedNames(text), KNOWN).map(({ name }) => name);

describe("findMentions", () => {
  it.each<[text: string, names: string[]]>([
    ["@review this", ["review"]],
    ["please (@review, then @read_file).", ["review", "read_file"]],
    ["@review. And @review!", ["review"]],
    ["ask @review\nor @review_all", ["review", "review_all"]],
    ["@read_file before @review", ["read_file", "review"]],
    ["nothing here", []],
    ["@", []],
  ])("finds what is mentioned: %s", (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  it.each([
    ["an unknown name", "@nobody @reviewer @rev"],
    ["another case", "@Review"],
    ["an e-mail address", "write to ada@review, x.y@review.org or é@review"],
    ["a path", "import @review/core and a/@review"],
    ["a file or a host", "@review.md @review.example"],
    ["a longer name", "@reviews/core @reviews.example.org @reviews@host @reviewé @review-"],
    ["a double at", "@@review @review@host"],
    ["code", "`@review` and `` a ` @review ``"],
    ["a fenced block", "```py\n@review\ndef f(): ...\n```\n~~~\n@review\n```\n@review"],
    ["a fence in a fence", "```\n```js\n@review"],
    ["an open fence", "````\n@review\n```\n@review"],
    ["an indented block", "Look:\n\n    @review\n\t@review"],
    ["what is not offered", "@exec"],
  ])("finds nothing in %s", (_what, text) => {
    expect(namesIn(text)).toEqual([]);
  });

  it.each([
    ["after a block", "```\ncode\n```\n@review"],
    ["after code", "`code` @review"],
    ["after a backtick without an end", "a ` b @review"],
    ["after code in backticks of a line", "```code``` @review"],
  ])("finds a name %s", (_what, text) => {
    expect(namesIn(text)).toEqual(["review"]);
  });
});

describe("findOpenMention", () => {
  it.each<[text: string, open: ReturnType<typeof findOpenMention>]>([
    ["@|", { start: 0, query: "" }],
    ["ask @rev|", { start: 4, query: "rev" }],
    ["ask @rev| now", { start: 4, query: "rev" }],
    ["ask @re|v", undefined],
    ["ask @rev |", undefined],
    ["ada@rev|", undefined],
    ["`@rev|", undefined],
    ["`code` @rev|", { start: 7, query: "rev" }],
    ["```\n@rev|", undefined],
    ["```\n@rev\n```\n@r|", { start: 13, query: "r" }],
    ["nothing|", undefined],
  ])("%s", (text, open) => {
    const caret = text.indexOf("|");
    expect(findOpenMention(text.replace("|", ""), caret)).toEqual(open);
  });
});

it.each([
  ["ask @rev now", 4, "ask @review now"],
  ["@rev now", 0, "@review now"],
  ["ask @rev", 4, "ask @review "],
  ["(@rev)", 1, "(@review )"],
  ["a\n@rev\nb", 2, "a\n@review \nb"],
])("completeMention keeps the name in “%s”, with one space after it", (text, start, completed) => {
  const change = completeMention(text, { start, query: "rev" }, { name: "review" });
  expect(text.slice(0, change.start) + change.text + text.slice(change.end)).toBe(completed);
  expect(listMentionedNames(completed)).toEqual(["review"]);
});

it("matchMentionables puts names that begin with the query first", () => {
  const names = (query: string) => matchMentionables(query, KNOWN).map(({ name }) => name);
  expect(names("RE")).toEqual(["review", "review_all", "read_file"]);
  expect(names("all")).toEqual(["review_all"]);
  expect(names("")).toEqual(["review", "review_all", "read_file"]);
  expect(names("exec")).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { needsMarkdown } from "./needs-markdown";

describe("a text needs the markdown renderer", () => {
  it.each([
    ["emphasis", "a *b* c"],
    ["code", "run `ls`"],
    ["a heading", "Intro\n# Title"],
    ["an underlined heading", "Title\n==="],
    ["a list", "- one\n- two"],
    ["a numbered list", "1. one"],
    ["a numbered item without text", "1."],
    ["a table", "| a | b |"],
    ["a quotation", "> said"],
    ["a link", "[a](https://a.example)"],
    ["an address", "see https://a.example"],
    ["an address without scheme", "see www.a.example"],
    ["an email address", "write to a@b.example"],
    ["an indented block", "so:\n\n    x = 1"],
    ["a hard line break", "one  \ntwo"],
    ["an entity", "a &lt; b"],
    ["a formula", "$$x$$"],
    ["an escaped formula", "\\(x\\)"],
    ["a rule", "a\n\n---\n\nb"],
  ])("with %s", (_, text) => expect(needsMarkdown(text)).toBe(true));

  it.each([
    ["sentences", "It is 12:30, and 5 - 3 = 2. Really?! (Yes; 100 % sure)"],
    ["paragraphs", "One.\n\nTwo,\nwith a line break."],
    ["quotation marks", "\"He said 'no'\" – and left…"],
    ["other scripts", "שלום עולם. こんにちは。"],
    ["a number with a dot", "It costs\n1.5 euros"],
  ])("but not with %s", (_, text) => expect(needsMarkdown(text)).toBe(false));
});

import { describe, expect, it } from "vitest";
import { findHiddenTarget, toTarget } from "./find-hidden-target";

describe("findHiddenTarget", () => {
  it.each([
    ["another address", "https://evil.example/", "https://bank.example/login", "evil.example"],
    ["another site without scheme", "https://evil.example/", "bank.example", "evil.example"],
    ["an address in a sentence", "https://evil.example/", "Go to bank.example now", "evil.example"],
    ["a user before the host", "https://bank.example@evil.example/", "here", "evil.example"],
    ["a password", "https://a:b@evil.example/", "here", "evil.example"],
    [
      "letters of another script",
      "https://xn--bnk-5cd.example/",
      "bank.example",
      "xn--bnk-5cd.example",
    ],
    ["wide letters", "https://evil.example/", "ｂａｎｋ．ｅｘａｍｐｌｅ", "evil.example"],
    ["a backslash", "https://evil.example\\@bank.example/", "bank.example", "evil.example"],
    ["a change of direction", "https://evil.example/", "\u202emoc.elpmaxe", "evil.example"],
    [
      "signs that are not seen",
      "https://evil.example/",
      "ba\u200bnk\u00ad.example",
      "evil.example",
    ],
    ["a dot of another kind", "https://evil.example/", "bank。example", "evil.example"],
    [
      "letters that only look the same, in both",
      "https://b\u0430nk.example/",
      "b\u0430nk.example",
      "xn--bnk-6cd.example",
    ],
    ["an address of mail", "https://evil.example/", "me@bank.example", "evil.example"],
  ])("shows the host of a link whose text has %s", (_what, url, text, host) => {
    expect(findHiddenTarget(url, text)).toBe(host);
  });

  it.each([
    ["words", "https://a.example/", "the documents"],
    ["its address", "https://www.a.example/path?q=b.example", "https://www.a.example/path"],
    ["a version", "https://a.example/", "version 1.2.3"],
    ["its host", "https://www.a.example/path", "a.example"],
    ["an address of mail", "mailto:me@a.example", "me@a.example"],
  ])("leaves a link whose text is %s", (_what, url, text) => {
    expect(findHiddenTarget(url, text)).toBeUndefined();
  });

  it.each([
    ["another address", "mailto:me@evil.example", "me@bank.example", "me@evil.example"],
    ["another one at the same site", "mailto:eve@a.example", "me@a.example", "eve@a.example"],
    ["a site", "mailto:me@evil.example", "bank.example", "me@evil.example"],
    [
      "one of two",
      "mailto:me@a.example,eve@b.example",
      "me@a.example",
      "me@a.example, eve@b.example",
    ],
    [
      "none of two",
      "mailto:me@a.example;eve@b.example",
      "Write to us",
      "me@a.example, eve@b.example",
    ],
    [
      "no copy",
      "mailto:me@a.example?CC=eve@b.example",
      "me@a.example",
      "me@a.example, eve@b.example",
    ],
    [
      "no blind copy",
      "mailto:me@a.example?bcc=eve%40b.example",
      "us",
      "me@a.example, eve@b.example",
    ],
    ["no other one", "mailto:me@a.example?to=eve@b.example", "us", "me@a.example, eve@b.example"],
    [
      "no text of the message",
      "mailto:me@a.example?subject=a&Body=I%20pay",
      "us",
      "me@a.example, with a text",
    ],
    [
      "no file",
      "mailto:me@a.example?attach=/etc/passwd",
      "me@a.example",
      "me@a.example, with a file",
    ],
    [
      "a name",
      "mailto:%22bank.example%22%3Ceve@b.example%3E",
      "bank.example",
      '"bank.example"<eve@b.example>',
    ],
    [
      "a sign that is not encoded well",
      "mailto:eve@b.example?cc=%E0%A4",
      "us",
      "eve@b.example, %E0%A4",
    ],
  ])("shows where mail goes if the text names %s", (_what, url, text, target) => {
    expect(findHiddenTarget(url, text)).toBe(target);
  });

  it.each([
    ["its address", "mailto:me@a.example", "me@a.example"],
    ["its address in another case", "mailto:Me@A.example", "me@a.example"],
    ["the whole URL", "mailto:me@a.example?subject=Hello", "mailto:me@a.example?subject=Hello"],
    ["words, and one subject", "mailto:me@a.example?subject=Hello", "Write to us"],
    ["both addresses", "mailto:me@a.example,us@b.example", "me@a.example and us@b.example"],
  ])("leaves mail whose text is %s", (_what, url, text) => {
    expect(findHiddenTarget(url, text)).toBeUndefined();
  });
});

it.each([
  ["https://www.bank.example@evil.example/login", "evil.example"],
  ["mailto:me@a.example?cc=eve@b.example", "me@a.example, eve@b.example"],
  ["no address", "no address"],
])("toTarget tells where %s leads", (url, target) => {
  expect(toTarget(url)).toBe(target);
});

import { describe, expect, it } from "vitest";
import { findHiddenHost } from "./find-hidden-host";

describe("findHiddenHost", () => {
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
  ])("shows the host of a link whose text has %s", (_what, url, text, host) => {
    expect(findHiddenHost(url, text)).toBe(host);
  });

  it.each([
    ["words", "https://a.example/", "the documents"],
    ["its address", "https://www.a.example/path?q=b.example", "https://www.a.example/path"],
    ["a version", "https://a.example/", "version 1.2.3"],
    ["its host", "https://www.a.example/path", "a.example"],
    ["an address of mail", "mailto:me@a.example", "me@a.example"],
  ])("leaves a link whose text is %s", (_what, url, text) => {
    expect(findHiddenHost(url, text)).toBeUndefined();
  });
});

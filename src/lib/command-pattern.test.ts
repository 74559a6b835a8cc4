import { describe, expect, it } from "vitest";
import {
  findPatternMistake,
  MAX_PATTERN_LENGTH,
  matchesPattern,
  suggestPattern,
} from "./command-pattern";

const COVERED: [pattern: string, command: string][] = [
  ["npm run *", "npm run build"],
  ["npm run *", "npm run build -- --watch"],
  ["npm run *", "  npm \t run\tbuild  "],
  ["npm run *", '"npm" r"u"n \'build\''],
  ["npm run *", "npm run 'a b'"],
  ["npm run *", 'npm run ""'],
  ["npm run *", 'npm run "*"'],
  ["npm run *", "npm run '#x' \"~\" '{a,b}' '!'"],
  ["npm run *", "npm run A=1"],
  ["  npm   run *  ", "npm run x"],
  ["npm test", "npm test"],
  ["npm test", " 'npm' test "],
  ['git commit -m "a b"', "git commit -m 'a b'"],
  ['git commit -m "a b" *', "git commit -m 'a b' --amend"],
  ['echo "*"', "echo '*'"],
  ["./größe *", "./größe 1"],
  ["npm run *", `npm run ${"x".repeat(9_000)}`],
];

const NOT_COVERED: [what: string, pattern: string, command: string][] = [
  ["a longer word", "npm run *", "npm runx"],
  ["a longer word with others", "npm run *", "npm runx y"],
  ["fewer words", "npm run *", "npm"],
  ["no word in place of *", "npm run *", "npm run"],
  ["no word but spaces", "npm run *", "npm run  \t"],
  ["more words", "npm test", "npm test x"],
  ["nothing", "npm run *", ""],
  ["spaces", "npm run *", "   "],
  ["another case", "npm run *", "NPM run x"],
  ["a path", "npm run *", "./npm run x"],
  ["two words in quotes", "npm run *", '"npm run" x'],
  ["words that quotes join", "npm run *", 'npm" "run x'],
  ["an open quote", "npm run *", 'npm run "x'],
  ["an open single quote", "npm run *", "npm run it's"],
  ["a quote in a quote", "npm run *", `npm run "it's" 'x`],
  ["a variable before it", "npm run *", "A=1 npm run x"],
  ["a variable before it, with quotes", "npm run *", 'A="1 2" npm run x'],
  ["another program before it", "npm run *", "sudo npm run x"],
  ["a comment", "npm run *", "npm run x # y"],
  ["a comment in place of words", "npm run *", "npm run #x"],
  ["a comment before it", "npm run *", "# npm run x"],
  ["a home directory", "npm run *", "npm run ~/x"],
  ["a glob of any text", "npm run *", "npm run x*"],
  ["a glob of one character", "npm run *", "npm run ?"],
  ["a glob of a set", "npm run *", "npm run [ab]"],
  ["a brace expansion", "npm run *", "npm run {a,b}"],
  ["a brace expansion in place of its words", "npm run *", "{npm,run} x"],
  ["a group", "npm run *", "{ npm run x"],
  ["a negation", "npm run *", "! npm run x"],
  ["an event of the history", "npm run *", "npm run !!"],
  ...[..."; & | $ ` ( ) < > \\".replaceAll(" ", "")].flatMap((char): [string, string, string][] => [
    [`a ${char} at the end`, "npm run *", `npm run x${char}`],
    [`a ${char} alone`, "npm run *", `npm run ${char} x`],
    [`a ${char} in double quotes`, "npm run *", `npm run "x${char}"`],
    [`a ${char} in single quotes`, "npm run *", `npm run 'x${char}'`],
    [`a ${char} before it`, "npm run *", `${char}npm run x`],
  ]),
  ["another command", "npm run *", "npm run x && rm -r ."],
  ["a command in its place", "npm run *", "npm run $(rm -r .)"],
  ["a here document", "npm run *", "npm run x <<E"],
  ...["\n", "\r", "\v", "\f", "\0", "\u0085", "\u2028", "\u2029", "\\\n", "\u001B"].map(
    (char): [string, string, string] => [
      `a line end or control character, ${JSON.stringify(char)}`,
      "npm run *",
      `npm run x${char}y`,
    ],
  ),
  ["a line end at the end", "npm run *", "npm run x\n"],
  ["a line end at the start", "npm run *", "\nnpm run x"],
  ...["\u00A0", "\u2003", "\u3000", "\u200B", "\uFEFF", "\u202E", "\u00AD", "\uD800", "\u3164"].map(
    (char): [string, string, string] => [
      `a space or sign that nobody sees, ${JSON.stringify(char)}`,
      "npm run *",
      `npm run x${char}y`,
    ],
  ),
  ["a command longer than any person reads", "npm run *", `npm run ${"x".repeat(10_000)}`],
  ["an unusual space between its words", "npm run *", "npm\u00A0run x"],
  ["a look-alike", "npm run *", "n\u0440m run x"],
  ["a composed letter for a decomposed one", "./gr\u00F6\u00DFe *", "./gro\u0308\u00DFe 1"],
];

const NO_PATTERNS: [what: string, pattern: string][] = [
  ["nothing", ""],
  ["spaces", " \t "],
  ["* alone", "*"],
  ["* with spaces", "  *  "],
  ["* twice", "* *"],
  ["* at the start", "* run x"],
  ["* in the middle", "npm * x"],
  ["* twice at the end", "npm run * *"],
  ["* in a word", "npm run x*"],
  ["* at the end of the first word", "npm*"],
  ["** as a word", "npm run **"],
  ["another glob", "npm run ?"],
  ["a set", "npm run [ab] *"],
  ["braces", "npm {run,test} *"],
  ["an empty first word", '"" *'],
  ["a variable", "A=1 npm run *"],
  ["a variable alone", "A=1 *"],
  ["an open quote", 'echo "a *'],
  ["two commands", "npm run x; rm *"],
  ["two lines", "npm run *\nrm *"],
  ["an invisible sign", "npm\u200B run *"],
  ["a home directory", "~/x *"],
  ["a comment", "npm run # *"],
  ["a backslash", "npm run \\*"],
  ["NUL", "npm run \0 *"],
  ["more than fits", `npm ${"x".repeat(MAX_PATTERN_LENGTH)} *`],
];

describe("a pattern", () => {
  it.each(COVERED)("%j covers %j", (pattern, command) => {
    expect(findPatternMistake(pattern)).toBeUndefined();
    expect(matchesPattern(pattern, command)).toBe(true);
  });

  it.each(NOT_COVERED)("does not cover %s", (_what, pattern, command) => {
    expect(findPatternMistake(pattern)).toBeUndefined();
    expect(matchesPattern(pattern, command)).toBe(false);
  });

  it.each(NO_PATTERNS)("cannot be %s, which covers nothing", (_what, pattern) => {
    expect(findPatternMistake(pattern)).toMatch(/^must /);
    expect(matchesPattern(pattern, pattern)).toBe(false);
    expect(matchesPattern(pattern, "npm run x")).toBe(false);
  });
});

describe("the pattern that is offered", () => {
  it.each([
    ["npm run build", "npm run *"],
    ["npm run build -- -w", "npm run *"],
    ["git  push origin", "git  push *"],
    ["npm test", "npm test"],
    [" npm test ", "npm test"],
    ["ls -l a.txt", "ls -l a.txt"],
    ["bash -c 'npm test'", "bash -c 'npm test'"],
    ["node build.js x", "node build.js x"],
    ["make", "make"],
  ])("for %j is %j, which covers it", (command, pattern) => {
    expect(suggestPattern(command)).toBe(pattern);
    expect(matchesPattern(pattern, command)).toBe(true);
  });

  it.each(["", "npm run x && rm y", "npm run *", "A=1 npm run x", "npm run 'x", "x".repeat(400)])(
    "is none for %j",
    (command) => {
      expect(suggestPattern(command)).toBeUndefined();
    },
  );
});

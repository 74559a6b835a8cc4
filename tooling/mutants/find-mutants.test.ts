import { describe, expect, it } from "vitest";
import { findMutants } from "./find-mutants";
import { applyEdit } from "./mutant";

const SQL_FILE = "src/server/db/sql/machine/some.ts";
const TABLE_FILE = "src/server/machine/table/some.ts";

const listMutated = (path: string, text: string): string[] =>
  findMutants(path, text).map((mutant) => applyEdit(text, mutant));

describe("faults of SQL", () => {
  it.each([
    [
      "a condition is left out",
      "`WHERE a = 1 AND ${b}`",
      ["`WHERE true AND ${b}`", "`WHERE a = 1 AND true`"],
    ],
    [
      "an alternative never holds",
      '" AND (a OR b)"',
      ['" AND true"', '" AND (false OR b)"', '" AND (a OR false)"'],
    ],
    ["a negation is left out", '"a AND NOT b"', ['"true AND NOT b"', '"a AND true"', '"a AND b"']],
    [
      "a branch is never taken",
      "`CASE WHEN a THEN b ELSE c END`",
      ["`CASE WHEN false THEN b ELSE c END`"],
    ],
    [
      "a range is one condition",
      '"a BETWEEN 1 AND 2 AND b"',
      ['"true AND b"', '"a BETWEEN 1 AND 2 AND true"'],
    ],
    ["a comparison has another limit", '"a <= 1"', ['"true"', '"a < 1"']],
    ["a sum lacks its number", '"a + 1"', ['"a"']],
    ["a sum lacks its expression", "`a + ${b}`", ["`a`"]],
    [
      "rows are locked, skipped and ordered no more",
      "`SELECT a FROM b ORDER BY c DESC LIMIT 1 FOR UPDATE SKIP LOCKED`",
      [
        "`SELECT a FROM b ORDER BY c DESC LIMIT 1 FOR UPDATE`",
        "`SELECT a FROM b ORDER BY c DESC LIMIT 1`",
        "`SELECT a FROM b ORDER BY c LIMIT 1 FOR UPDATE SKIP LOCKED`",
        "`SELECT a FROM b LIMIT 1 FOR UPDATE SKIP LOCKED`",
      ],
    ],
    ["words in quotes are no SQL", "`SELECT 'a AND b'`", []],
    ["a sentence is no SQL", 'new Error("a AND b")', []],
    ["other texts are no SQL", '"claim-chats"', []],
  ])("%s", (_name, text, mutated) => {
    const given = listMutated(SQL_FILE, `const text = ${text};`);
    expect(given.sort()).toEqual(mutated.map((one) => `const text = ${one};`).sort());
  });
});

describe("faults of the table", () => {
  it("breaks each cell in each way", () => {
    const row = (cells: string): string => `const NEXT = { waiting: 1, ${cells} };`;
    const given = listMutated(TABLE_FILE, row('send: paused(to("error", "enter")), ...idle'));
    expect(given).toEqual(
      expect.arrayContaining([
        row(" ...idle"),
        row('send: to("error", "enter"), ...idle'),
        row('send: paused(to("waiting", "enter")), ...idle'),
        row('send: paused(to("error", )), ...idle'),
        row('send: paused(to("error", "enter")), '),
      ]),
    );
    expect(given).toHaveLength(6);
  });

  it("turns booleans round and leaves out members of sets", () => {
    expect(listMutated(SQL_FILE, 'const a = { b: true, c: new Set(["d", "e"]) };')).toEqual([
      'const a = { b: false, c: new Set(["d", "e"]) };',
      'const a = { b: true, c: new Set([ "e"]) };',
      'const a = { b: true, c: new Set(["d", ]) };',
    ]);
  });
});

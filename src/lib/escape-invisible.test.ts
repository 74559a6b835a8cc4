import { expect, it } from "vitest";
import { escapeInvisible } from "./escape-invisible";

it.each([
  ["ls -l\n\tcat a", "ls -l\n\tcat a"],
  ["Ärger 日本 🎉", "Ärger 日本 🎉"],
  ["rm \u202Etxt.a", "rm \\u{202e}txt.a"],
  ["a\u200Bb\u2066c\uFEFF", "a\\u{200b}b\\u{2066}c\\u{feff}"],
  ["clear\u001B[2K\rls", "clear\\u{1b}[2K\\u{d}ls"],
  ["x\u2028y\u3164\u{E0041}", "x\\u{2028}y\\u{3164}\\u{e0041}"],
  ["\0", "\\u{0}"],
])("shows %j as %j", (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

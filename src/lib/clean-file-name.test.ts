import { expect, it } from "vitest";
import { cleanFileName } from "./clean-file-name";

it.each([
  ["a plain name", "chart.png", "chart.png"],
  ["a name with other letters", "Übersicht 2024 – 図.csv", "Übersicht 2024 – 図.csv"],
  ["a hidden file", ".env", ".env"],
  ["a path", "../../etc/passwd", "passwd"],
  ["a path of Windows", "C:\\temp\\a.txt", "a.txt"],
  ["a line break", 'a\r\nx-header: 1\n"b".png', "ax-header_ 1_b_.png"],
  ["a right-to-left mark", "invoice\u202egpj.exe", "invoicegpj.exe"],
  ["a NUL and a zero-width space", "a\0b\u200b.txt", "ab.txt"],
  ["a lone surrogate", "a\ud800.txt", "a\ufffd.txt"],
  ["nothing", "", "file"],
  ["only dots", "..", "file"],
  ["only what is removed", "\n\u202e", "file"],
])("cleanFileName of %s", (_what, name, cleaned) => {
  expect(cleanFileName(name)).toBe(cleaned);
});

it("cleanFileName keeps the extension of a long name, and no half character", () => {
  const cleaned = cleanFileName(`${"é".repeat(300)}.png`);
  expect(cleaned).toMatch(/^é+\.png$/);
  expect(Buffer.byteLength(cleaned)).toBe(200);
});

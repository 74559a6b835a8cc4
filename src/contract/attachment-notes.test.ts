import { describe, expect, it } from "vitest";
import type { ModelAbility } from "./model";
import type { Artifact } from "./part";
import { listAttachmentNotes } from "./attachment-notes";

const toFile = (name: string, media_type: string, width?: number): Artifact => ({
  id: name,
  name,
  media_type,
  size: 1,
  ...(width !== undefined && { width, height: width }),
});
const PHOTO = toFile("photo.jpg", "image/jpeg", 9);
const DAMAGED = toFile("damaged.png", "image/png");
const PDF = toFile("report.pdf", "application/pdf");
const TEXT = toFile("a.csv", "text/csv");
const DATABASE = toFile("db.sqlite", "application/x-sqlite3");

describe("listAttachmentNotes", () => {
  it.each<
    [what: string, abilities: ModelAbility[] | undefined, files: Artifact[], notes: RegExp[]]
  >([
    ["nothing of what the model gets as it is", ["images", "pdfs"], [PHOTO, PDF, TEXT], []],
    ["nothing of a model of which nothing is known", undefined, [PHOTO, PDF, TEXT], []],
    [
      "that a model sees no images",
      ["tools"],
      [PHOTO, DAMAGED],
      [/^photo\.jpg, damaged\.png: M does not see/],
    ],
    [
      "that an image cannot be shown",
      ["images"],
      [PHOTO, DAMAGED],
      [/^damaged\.png: It is damaged/],
    ],
    [
      "that a model gets the text of a PDF",
      ["images"],
      [PDF],
      [/^report\.pdf: M gets the text\.$/],
    ],
    ["that tools read the rest", ["images"], [TEXT, DATABASE], [/^db\.sqlite: .*tools can read/]],
    [
      "the names of the first three",
      ["tools"],
      [PHOTO, PHOTO, PHOTO, PHOTO, PHOTO],
      [/^photo\.jpg, photo\.jpg, photo\.jpg, 2 more: /],
    ],
  ])("says %s", (_what, abilities, files, notes) => {
    const model = { name: "M", ...(abilities && { abilities }) };
    expect(listAttachmentNotes(files, model)).toEqual(
      notes.map((note) => expect.stringMatching(note) as string),
    );
  });
});

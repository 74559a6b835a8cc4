import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageView } from "./chat-view";
import { KEPT_SHOWN_FILE_BYTES, MAX_SHOWN_FILE_BYTES } from "./limits";
import type { FilePart } from "./part";
import type { OmittedFiles } from "./usage";
import {
  countOmittedFiles,
  findOmittedFiles,
  listOmittedFiles,
  selectShownFiles,
  type SizedFile,
  toSizedFile,
} from "./shown-files";

const MB = 1_000_000;
const select = (...messages: number[][]): string[] => {
  let count = 0;
  return [
    ...selectShownFiles(
      messages.map((sizes) =>
        sizes.map((bytes) => ({ id: String((count += 1)), bytes: bytes * MB })),
      ),
    ),
  ];
};

describe("selectShownFiles", () => {
  it.each<[what: string, messages: number[][], shown: string[]]>([
    ["all that fit", [[4], [4], [8]], ["1", "2", "3"]],
    ["half of the room when they no longer fit", [[4], [4], [4], [4], [1]], ["4", "5"]],
    ["those of the newest message, whatever that leaves", [[4], [4], [12, 2]], ["3", "4"]],
    ["the last ones of a message that does not fit", [[8, 8, 8]], ["2", "3"]],
    ["nothing of what is too large alone", [[17]], []],
    ["no file before one that left", [[1], [8], [8]], ["3"]],
  ])("keeps %s", (_what, messages, shown) => {
    expect(select(...messages)).toEqual(shown);
  });

  it("keeps a run of the newest files that fits, and seldom changes its beginning", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 8 * MB }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 30 }), (messages) => {
        let id = 0;
        const files = messages.map((row) =>
          row.map((bytes): SizedFile => ({ id: String((id += 1)), bytes })),
        );
        let previous: string[] = [];
        let left = 0;
        files.forEach((_, index) => {
          const before = files.slice(0, index + 1);
          const all = before.flat();
          const shown = [...selectShownFiles(before)];
          const newest = all.slice(all.length - shown.length);
          expect(newest.map((file) => file.id)).toEqual(shown);
          const total = newest.reduce((sum, { bytes }) => sum + bytes, 0);
          expect(total).toBeLessThanOrEqual(MAX_SHOWN_FILE_BYTES);
          const isKept = previous.every((name) => shown.includes(name));
          if (!isKept) {
            const added = before.at(-1)?.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
            expect(total).toBeLessThanOrEqual(
              Math.max(KEPT_SHOWN_FILE_BYTES, Math.min(added, MAX_SHOWN_FILE_BYTES)),
            );
            left += 1;
          }
          previous = shown;
        });
        const sent = files.flat().reduce((sum, { bytes }) => sum + bytes, 0);
        expect(left).toBeLessThanOrEqual(Math.ceil(sent / KEPT_SHOWN_FILE_BYTES));
      }),
    );
  });
});

const toFile = (file_id: string, media_type: string, size: number): FilePart => ({
  type: "file",
  file_id,
  name: file_id,
  media_type,
  size,
  ...(media_type === "image/png" && { width: 2, height: 2 }),
});
const image = (id: string) => toFile(id, "image/png", 9);
const pdf = (id: string) => toFile(id, "application/pdf", 3 * MB);
const message = (role: "user" | "assistant", parts: FilePart[], omitted?: OmittedFiles) => ({
  id: `${role} ${parts.length}`,
  seq: 1,
  revision: 1,
  role,
  parts,
  created_at: "",
  ...(role === "assistant" && {
    usage: { input_tokens: 1, output_tokens: 1, ...(omitted && { omitted_files: omitted }) },
  }),
});
const images = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => image(`i${from + index}`));

describe("files that have left a request", () => {
  const find = (rows: FilePart[][]): OmittedFiles | undefined => {
    const sized = rows.map((files) => files.flatMap((file) => toSizedFile(file) ?? []));
    return countOmittedFiles(sized.flat(), selectShownFiles(sized));
  };
  const mark = (rows: FilePart[][], loaded = rows): string[] => {
    const messages: MessageView[] = loaded.map((parts) => message("user", parts));
    return [...listOmittedFiles([...messages, message("assistant", [], find(rows))])].sort();
  };

  it("are none as long as all fit, and without an answer", () => {
    expect(find([[image("a"), pdf("b")]])).toBeUndefined();
    expect(findOmittedFiles([message("user", [image("a")])])).toBeUndefined();
    expect(mark([[image("a")], [image("b")]])).toEqual([]);
  });

  it("are counted by their kinds, and marked in all messages that are loaded", () => {
    const rows = [[image("a"), pdf("b")], [toFile("c", "text/csv", 9)], images(0, 20), [pdf("d")]];
    expect(find(rows)).toEqual({ images: 13, pdfs: 1, before: "i12" });
    expect(mark(rows)).toEqual(["a", "b", ...images(0, 12).map(({ file_id }) => file_id)].sort());
    expect(mark(rows, rows.slice(2))).toHaveLength(12);
    expect(mark(rows, rows.slice(3))).toEqual([]);
  });

  it("are not those that a newer message has again", () => {
    const rows = [[image("a"), image("b")], images(0, 26), [image("a")]];
    expect(find(rows)).toMatchObject({ pdfs: 0 });
    const marked = mark(rows);
    expect(marked).toContain("b");
    expect(marked).not.toContain("a");
  });

  it("are only of the newest answer", () => {
    const before = { images: 1, pdfs: 0, before: "b" };
    const answers = [message("assistant", [], before), message("assistant", [])];
    expect(findOmittedFiles(answers)).toBeUndefined();
    expect(findOmittedFiles(answers.slice(0, 1))).toEqual(before);
  });
});

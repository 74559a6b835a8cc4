import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEPT_SHOWN_FILE_BYTES, MAX_SHOWN_FILE_BYTES } from "./limits";
import { selectShownFiles, type SizedFile } from "./shown-files";

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

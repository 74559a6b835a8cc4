import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** The steps of space between and inside components, in units of `--spacing`, which is 4 px. */
const SCALE = ["0", "0.5", "1", "1.5", "2", "3", "4", "6", "8", "10", "12"];

/** Room for a control of that size beside a text, and for what stays in place over the end of a page. */
const ROOM = new Set(["pr-9", "mr-9", "pr-24", "mb-20", "pb-20"]);

const SPACE =
  /(?<![\w-])-?((?:p|m)[xytblrse]?|gap(?:-[xy])?|space-[xy])-(\d+(?:\.\d+)?)(?![\w.%/-])/g;

const FOLDERS = ["src/components", "src/client/screens", "src/app"];

const findOffScale = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => {
      const source = readFileSync(join(folder, name), "utf8");
      return [...source.matchAll(SPACE)].flatMap(([, kind, size]) =>
        SCALE.includes(size ?? "") || ROOM.has(`${kind}-${size}`)
          ? []
          : [`${name}: ${kind}-${size}`],
      );
    });

it("all space is of one scale", () => {
  expect(FOLDERS.flatMap(findOffScale)).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ICONS } from "../stories/icons";

const root = join(import.meta.dirname, "../src");

const listImportedIcons = (source: string): string[] =>
  [...source.matchAll(/import \{([^}]*)\} from "lucide-react"/g)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.replace(/ as .*/s, "").trim())
    .filter((name) => name !== "" && !name.startsWith("type "));

it("the tokens have each icon of the product once, with its meaning, and no other", () => {
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join(root, path), "utf8"));
  const used = new Set(sources.flatMap(listImportedIcons));
  const shown = Object.values(ICONS).flatMap((group) => Object.keys(group));
  expect(shown.toSorted()).toEqual([...used].toSorted());
});

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { GROUPS, toStoryTitle } from "../stories/story-titles";

const root = join(import.meta.dirname, "../stories");
const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
const folders = new Set(
  paths.filter((path) => path.endsWith(".stories.tsx") && dirname(path) !== ".").map(dirname),
);

it.each([...folders])("the stories of %s are in a group of the sidebar", (folder) => {
  const [group = ""] = toStoryTitle(`${folder}/button`).split("/");
  expect(Object.keys(GROUPS)).toContain(group);
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** By the ids of stories. The filter of Storybook's sidebar has them as tags. */
type ChangedStories = Readonly<Record<string, "new" | "changed">>;

const FILE = path.join(
  import.meta.dirname,
  "../../node_modules/.cache/review/changed-stories.json",
);

/** Stores what the last review found, for the sidebar of Storybook. */
export const storeChangedStories = (stories: ChangedStories): void => {
  mkdirSync(path.dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify(stories));
};

/** @returns no stories before the first review. */
export const readChangedStories = (): ChangedStories =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as ChangedStories) : {};

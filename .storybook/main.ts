import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { StorybookConfig } from "@storybook/nextjs-vite";
import { BEHAVIOR_TAG, isBehaviorTest, toStoryTitle } from "../stories/story-titles.ts";
import { readChangedStories } from "../tooling/review/changed-stories.ts";

type Indexers = NonNullable<StorybookConfig["experimental_indexers"]>;

const STORIES = fileURLToPath(new URL("../stories", import.meta.url));

const toPath = (fileName: string): string =>
  relative(STORIES, fileName).replace(/\.stories\.tsx$/, "");

const changedStories = readChangedStories();

/** @returns the tags that a story has by its name, and by the last `npm run review`. */
const findTags = ({ name = "", __id: id = "" }: { name?: string; __id?: string }): string[] => [
  ...(isBehaviorTest(name) ? [BEHAVIOR_TAG] : []),
  ...[changedStories[id] ?? []].flat(),
];

/** Titles come from the place of a file and tags from the names of its stories, so that no file repeats them. */
const indexStories: Extract<Indexers, (...args: never[]) => unknown> = (existing = []) =>
  existing.map((indexer) => ({
    ...indexer,
    createIndex: async (fileName, options) => {
      const makeTitle = (title?: string): string => title ?? toStoryTitle(toPath(fileName));
      const entries = await indexer.createIndex(fileName, { ...options, makeTitle });
      return entries.map((entry) => ({
        ...entry,
        tags: [...(entry.tags ?? []), ...findTags(entry)],
      }));
    },
  }));

const config: StorybookConfig = {
  stories: ["../stories/**/*.stories.tsx"],
  // The files that stories link to, at the address of the API.
  staticDirs: [
    { from: "../stories/files", to: "/api/v1/files" },
    // The product's mark, which Next serves.
    { from: "../src/app/icon.svg", to: "/icon.svg" },
    // Vite leaves the addresses of the font's files as they are, relative to the built style sheet.
    { from: "../node_modules/@fontsource-variable/inter/files", to: "/assets/files" },
  ],
  addons: ["@storybook/addon-docs", "@storybook/addon-vitest", "@storybook/addon-a11y"],
  framework: { name: "@storybook/nextjs-vite", options: {} },
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  typescript: { reactDocgen: "react-docgen" },
  experimental_indexers: indexStories,
  tags: { [BEHAVIOR_TAG]: { defaultFilterSelection: "exclude" } },
};

export default config;

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { serveFolder } from "../tooling/serve-folder.ts";

/** Only what hangs reaches it: a build without cache may take minutes on a busy machine. */
const BUILD_TIMEOUT_MS = 600_000;

export type Storybook = {
  url: string;
  /** All stories and pages of documents. */
  entries: readonly StoryEntry[];
  /** @returns the URL of one story without the Storybook UI. */
  story: (title: string, name: string) => string;
  close: () => Promise<void>;
};

type StoryEntry = { id: string; type: string; title: string; name: string; tags: string[] };
type StoryIndex = { entries: Record<string, StoryEntry> };

/** Builds Storybook into a folder and serves it. */
export const serveStorybook = async (folder: string): Promise<Storybook> => {
  const storybook = ["node_modules/storybook/dist/bin/dispatcher.js", "build"];
  const options = ["--output-dir", folder, "--quiet", "--disable-telemetry"];
  await promisify(execFile)(process.execPath, [...storybook, ...options], {
    timeout: BUILD_TIMEOUT_MS,
  });
  const index = JSON.parse(readFileSync(path.join(folder, "index.json"), "utf8")) as StoryIndex;
  const { url, close } = await serveFolder(folder);
  const entries = Object.values(index.entries);
  return {
    url,
    entries,
    story: (title, name) => {
      const found = entries.find((entry) => entry.title === title && entry.name === name);
      if (!found) throw new Error(`there is no story "${name}" of ${title}`);
      return `${url}iframe.html?id=${found.id}&viewMode=story`;
    },
    close,
  };
};

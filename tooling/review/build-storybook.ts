import { execFile } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import {
  type BuildStats,
  createVersionReader,
  listStories,
  type Story,
  type StoryIndex,
} from "./story-modules.ts";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const readText = (...parts: string[]): string => readFileSync(path.join(...parts), "utf8");
const readJson = <Value>(...parts: string[]): Value => JSON.parse(readText(...parts)) as Value;

const git = async (root: string, args: string[]): Promise<string> =>
  (await run("git", args, { cwd: root })).stdout.trim();

/** @returns the full name of a commit. @throws {Error} if there is none. */
export const resolveCommit = (root: string, commit: string): Promise<string> =>
  git(root, ["rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`]);

/**
 * Checks a commit out into a folder, with this checkout's packages where the lock file is equal.
 *
 * @returns function that removes the folder.
 */
export const checkOutCommit = async (
  root: string,
  commit: string,
  folder: string,
): Promise<() => Promise<void>> => {
  // Of a review that was interrupted.
  await git(root, ["worktree", "prune"]);
  await git(root, ["worktree", "add", "--detach", "--quiet", folder, commit]);
  const remove = async () => {
    await git(root, ["worktree", "remove", "--force", folder]);
  };
  try {
    if (readText(root, "package-lock.json") === readText(folder, "package-lock.json")) {
      symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    } else {
      console.log("Its packages are other ones: installing them …");
      const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--loglevel=error"];
      await run("npm", ["ci", ...options], { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
};

/** Builds the Storybook of a checkout into a folder that exists. @returns its stories. */
export const buildStorybook = async (root: string, folder: string): Promise<Story[]> => {
  const storybook = [path.join(root, "node_modules/storybook/dist/bin/dispatcher.js"), "build"];
  // Without pages of documents, which are not photographed.
  const options = ["--test", "--output-dir", folder, "--stats-json", folder];
  await run(process.execPath, [...storybook, ...options, "--quiet", "--disable-telemetry"], {
    cwd: root,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const stats = readJson<BuildStats>(folder, "preview-stats.json");
  const index = readJson<StoryIndex>(folder, "index.json");
  return listStories(stats, index, createVersionReader(root));
};

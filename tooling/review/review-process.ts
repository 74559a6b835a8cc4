// npm run review -- <commit>: photographs the stories that reach a changed module, as they were in a commit and as they
// are in this checkout with what is not committed, and writes a page of those that look different. Started by
// scripts/review.mjs.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { launchOptions } from "../browser.ts";
import { serveFolder } from "../serve-folder.ts";
import { buildStorybook, checkOutCommit, resolveCommit } from "./build-storybook.ts";
import { storeChangedStories } from "./changed-stories.ts";
import { type ChosenStory, chooseStories } from "./choose-stories.ts";
import { comparePictures } from "./compare-pictures.ts";
import { photographStories, THEMES, toFileName, WIDTHS } from "./photograph-stories.ts";
import {
  type Picture,
  type PictureFiles,
  type ReviewedStory,
  writeReviewPage,
} from "./review-page.ts";

const USAGE = "npm run review -- <commit> [--all] [--output FOLDER]";
const SHORT_COMMIT = 10;

const startedAt = performance.now();
const report = (text: string): void => {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${seconds.padStart(4)} s  ${text}`);
};

const readOptions = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      output: { type: "string", default: "test-results/review" },
    },
  });
  const [commit] = positionals;
  if (commit === undefined || positionals.length > 1) throw new Error(USAGE);
  return { commit, all: values.all, output: path.resolve(values.output) };
};

type Side = "before" | "after";

/** Photographs the chosen stories of one side that exist there. */
const photographSide = async (
  side: Side,
  chosen: readonly ChosenStory[],
  { storybook, output }: { storybook: string; output: string },
): Promise<void> => {
  const ids = chosen
    .filter(({ existence }) => existence === "both" || existence === side)
    .map(({ id }) => id);
  if (ids.length === 0) return;
  const browser = await chromium.launch(launchOptions());
  const server = await serveFolder(storybook);
  try {
    const folder = path.join(output, side);
    const shoot = { browser, url: server.url, ids, folder };
    const expectedFolder = path.join(output, "before");
    await photographStories(side === "before" ? shoot : { ...shoot, expectedFolder });
  } finally {
    await server.close();
    await browser.close();
  }
};

const VARIANTS = WIDTHS.flatMap((width) => THEMES.map((theme) => ({ width, theme })));
const STATUSES = { both: "changed", before: "gone", after: "new" } as const;

type ReviewedPicture = { picture: Picture; differingPixels: number };

const findPicture = (output: string, side: Side, name: string): PictureFiles => {
  const file = `${side}/${name}`;
  return existsSync(path.join(output, file)) ? { [side]: file } : {};
};

/** @returns undefined for pictures that are equal. */
const reviewPicture = async (
  { id }: ChosenStory,
  { width, theme }: (typeof VARIANTS)[number],
  output: string,
): Promise<ReviewedPicture | undefined> => {
  const name = toFileName(id, width, theme);
  const label = `${width} px, ${theme}`;
  const files = {
    ...findPicture(output, "before", name),
    ...findPicture(output, "after", name),
  };
  if (!files.before || !files.after) return { picture: { label, files }, differingPixels: 0 };
  const { differingPixels, difference } = await comparePictures(
    readFileSync(path.join(output, files.before)),
    readFileSync(path.join(output, files.after)),
  );
  if (!difference) return undefined;
  writeFileSync(path.join(output, "difference", name), difference);
  return {
    picture: { label, files: { ...files, difference: `difference/${name}` } },
    differingPixels,
  };
};

/** Compares the pictures of the chosen stories. @returns those that look different. */
const reviewStories = async (
  chosen: readonly ChosenStory[],
  output: string,
): Promise<ReviewedStory[]> => {
  mkdirSync(path.join(output, "difference"), { recursive: true });
  const reviewed: ReviewedStory[] = [];
  for (const story of chosen) {
    const pictures: ReviewedPicture[] = [];
    for (const variant of VARIANTS) {
      const picture = await reviewPicture(story, variant, output);
      if (picture) pictures.push(picture);
    }
    if (pictures.length === 0) continue;
    reviewed.push({
      ...story,
      status: STATUSES[story.existence],
      differingPixels: pictures.reduce((sum, { differingPixels }) => sum + differingPixels, 0),
      pictures: pictures.map(({ picture }) => picture),
    });
  }
  return reviewed;
};

/** Builds both Storybooks. @returns the stories to photograph. */
const buildBoth = async (
  root: string,
  commit: string,
  { folder, all }: { folder: string; all: boolean },
): Promise<ChosenStory[]> => {
  const checkout = path.join(folder, "checkout");
  const removeCheckout = await checkOutCommit(root, commit, checkout);
  try {
    const [before = [], after = []] = [
      await buildStorybook(checkout, makeFolder(folder, "before")),
      await buildStorybook(root, makeFolder(folder, "after")),
    ];
    return chooseStories(before, after, { all });
  } finally {
    await removeCheckout();
  }
};

const makeFolder = (...parts: string[]): string => {
  const folder = path.join(...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
};

const listTags = (stories: readonly ReviewedStory[]) =>
  Object.fromEntries(
    stories.flatMap(({ id, status }) => (status === "gone" ? [] : [[id, status] as const])),
  );

const main = async (): Promise<void> => {
  const { commit, all, output } = readOptions();
  const root = process.cwd();
  const id = await resolveCommit(root, commit);
  // Outside the repository, as Tailwind would not look for classes in a folder that Git ignores.
  const folder = mkdtempSync(path.join(tmpdir(), "parley-review-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      removeFolder();
      process.exit(1);
    });
  }
  try {
    report("Building the Storybooks of both …");
    const chosen = await buildBoth(root, id, { folder, all });
    report(`Photographing ${chosen.length} stories …`);
    for (const side of ["before", "after"] as const) {
      rmSync(path.join(output, side), { recursive: true, force: true });
      await photographSide(side, chosen, { storybook: path.join(folder, side), output });
    }
    report("Comparing …");
    rmSync(path.join(output, "difference"), { recursive: true, force: true });
    const stories = await reviewStories(chosen, output);
    const shown = new Set(stories.map((story) => story.id));
    const equalStories = chosen.filter((story) => !shown.has(story.id));
    const before = `${commit} (${id.slice(0, SHORT_COMMIT)})`;
    const page = path.join(output, "index.html");
    const after = "this checkout, with what is not committed";
    writeFileSync(page, writeReviewPage({ before, after, stories, equalStories }));
    storeChangedStories(listTags(stories));
    report(`${stories.length} stories look different: ${page}`);
  } finally {
    removeFolder();
  }
};

await main();

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright";

export const WIDTHS = [1440, 390] as const;
export const THEMES = ["light", "dark"] as const;
type Width = (typeof WIDTHS)[number];
const HEIGHTS: Readonly<Record<Width, number>> = { 1440: 900, 390: 844 };

/** Only a story that hangs takes as long. */
const HANG_MS = 120_000;
/** The largest picture that Chromium takes. */
const MAX_HEIGHT = 16_000;
/** A page that still moves after so many pictures is photographed as it is then. */
const MAX_PICTURES = 6;
/** So that texts such as "5 min ago" are equal in both pictures, also where a story forgets its clock. */
const FIXED_TIME = new Date("2026-11-21T10:00:00Z");
const DONE_PHASES = ["finished", "errored", "aborted"];

export const toFileName = (id: string, width: number, theme: string): string =>
  `${id}--${width}-${theme}.png`;

type StorybookWindow = { __STORYBOOK_PREVIEW__?: { currentRender?: { phase?: string } } };

/** Waits until the story is rendered and its `play` has ended, and fonts and images are loaded. */
const waitUntilReady = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    (phases) =>
      phases.includes(
        (window as StorybookWindow).__STORYBOOK_PREVIEW__?.currentRender?.phase ?? "",
      ),
    DONE_PHASES,
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    const images = [...document.images].filter(({ loading }) => loading !== "lazy");
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  });
};

/**
 * Makes the page as high as its content, once: a picture beyond the page's own height would make it so for a moment,
 * which lists that follow their end answer by scrolling.
 */
const fitHeight = async (page: Page, width: Width): Promise<void> => {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (height <= HEIGHTS[width]) return;
  await page.setViewportSize({ width, height: Math.min(height, MAX_HEIGHT) });
};

/** Takes pictures until one equals the picture before the change, or two are equal. */
const takePicture = async (page: Page, expected: Buffer | undefined): Promise<Buffer> => {
  let last = expected;
  for (let count = 1; ; count++) {
    const picture = await page.screenshot({ animations: "disabled", timeout: HANG_MS });
    const isStable = last?.equals(picture) === true || expected?.equals(picture) === true;
    if (isStable || count === MAX_PICTURES) return picture;
    last = picture;
  }
};

type Shoot = {
  browser: Browser;
  /** Of the Storybook. */
  url: string;
  ids: readonly string[];
  /** Where the pictures are written. */
  folder: string;
  /** Pictures that these are expected to equal. */
  expectedFolder?: string;
};

const photographStory = async (
  page: Page,
  { id, width }: { id: string; width: Width },
  { url, folder, expectedFolder }: Shoot,
): Promise<void> => {
  await page.setViewportSize({ width, height: HEIGHTS[width] });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${url}iframe.html?id=${id}&viewMode=story&globals=theme:light`);
  await waitUntilReady(page);
  await fitHeight(page, width);
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    // What the toolbar of themes does, without rendering the story again.
    await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
    const name = toFileName(id, width, theme);
    const expectedFile = expectedFolder && path.join(expectedFolder, name);
    const expected =
      expectedFile && existsSync(expectedFile) ? readFileSync(expectedFile) : undefined;
    writeFileSync(path.join(folder, name), await takePicture(page, expected));
  }
};

const photographAtWidth = async (shoot: Shoot, width: Width): Promise<void> => {
  const context = await shoot.browser.newContext({
    reducedMotion: "reduce",
    locale: "en-US",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(HANG_MS);
  await context.clock.setFixedTime(FIXED_TIME);
  const page = await context.newPage();
  for (const id of shoot.ids) {
    // One story without a picture must not cost the others theirs; the page shows that it is missing.
    await photographStory(page, { id, width }, shoot).catch((error: unknown) => {
      console.warn(`No picture of ${id} at ${width} px: ${String(error)}`);
    });
  }
  await context.close();
};

/** Photographs stories in each width and theme, with one page for each width. */
export const photographStories = async (shoot: Shoot): Promise<void> => {
  mkdirSync(shoot.folder, { recursive: true });
  await Promise.all(WIDTHS.map((width) => photographAtWidth(shoot, width)));
};

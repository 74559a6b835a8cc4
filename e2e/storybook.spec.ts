import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { serveStorybook, type Storybook } from "./storybook";

let folder: string;
let storybook: Storybook;

/** All stories are built first. */
const BUILD_TIMEOUT_MS = 660_000;
test.describe.configure({ mode: "serial", timeout: BUILD_TIMEOUT_MS });

test.beforeAll(async () => {
  test.setTimeout(BUILD_TIMEOUT_MS);
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-storybook-"));
  storybook = await serveStorybook(folder);
});

test.afterAll(async () => {
  await storybook.close();
  await rm(folder, { recursive: true, force: true });
});

test("the states of the advisor render without errors", async ({ page }, info) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(storybook.story("Tool cards/AdvisorCard", "States"));
  for (const label of ["Consulting", "Guidance ready", "Limit reached", "Request failed"]) {
    await expect(
      page
        .getByRole("button", { name: /^Advisor/ })
        .getByText(label)
        .first(),
    ).toBeVisible();
  }
  await page.screenshot({ path: info.outputPath("story.png") });
  expect(errors).toEqual([]);
});

test("a reviewer begins at the start page, with the groups and without tests", async ({ page }) => {
  await page.goto(storybook.url);
  await expect(page).toHaveURL(/path=\/story\/start--start/);
  const preview = page.frameLocator("#storybook-preview-iframe");
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Parley, part by part");
  const tree = page.locator("#storybook-explorer-tree");
  await expect(tree.getByText("Tool cards", { exact: true })).toBeVisible();

  await preview.getByRole("link", { name: "Tokens" }).click();
  await expect(page).toHaveURL(/path=\/story\/tokens--tokens/);
  await expect(preview.getByText("accent-soft", { exact: true })).toBeVisible();

  await page.goto(`${storybook.url}?path=/docs/building-blocks-alert--docs`);
  await expect(preview.getByRole("heading", { level: 1 })).toHaveText("Alert");
  await expect(preview.getByRole("heading", { name: /Test/ })).toHaveCount(0);
  await expect(tree.getByText("(Test)")).toHaveCount(0);
});

test("titles are groups and components, and each test has its tag", () => {
  for (const { title, name, tags } of storybook.entries.filter(({ type }) => type === "story")) {
    expect(title).toMatch(/^[A-Z][\w -]*(\/[A-Z]\w*)?$/);
    expect(tags.includes("behavior")).toBe(name.startsWith("(Test)"));
  }
});

test("stories have the font of the product, in the theme and width that are chosen", async ({
  page,
}) => {
  const story = storybook.story("Building blocks/Badge", "States");
  await page.goto(`${story}&globals=theme:dark`);
  await expect(page.locator("body")).toHaveCSS("font-family", /^"Inter Variable"/);
  const faces = await page.evaluate(async () =>
    (await document.fonts.load('1rem "Inter Variable"', "Parley")).map(({ status }) => status),
  );
  expect(faces).toEqual(["loaded"]);
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(17, 20, 20)");
  await page.goto(`${story}&globals=theme:both`);
  for (const [theme, color] of [
    ["light", "rgb(255, 255, 255)"],
    ["dark", "rgb(17, 20, 20)"],
  ] as const) {
    const frame = page.frameLocator(`iframe[title="${theme} theme"]`);
    await expect(frame.locator("body")).toHaveCSS("background-color", color);
  }
  await page.goto(`${storybook.url}?path=/story/pages--chat&globals=viewport.value:phone`);
  await expect
    .poll(() => page.locator("#storybook-preview-iframe").evaluate((frame) => frame.clientWidth))
    .toBe(390);
});

test("a component has the width of its column", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(storybook.story("Composer/Composer", "States"));
  // The composer around the field.
  const composer = page.locator(".rounded-xl", { has: page.getByRole("textbox") }).first();
  const box = await composer.boundingBox();
  // 46rem.
  expect(box?.width).toBeGreaterThan(690);
  expect(box?.width).toBeLessThanOrEqual(736);
});

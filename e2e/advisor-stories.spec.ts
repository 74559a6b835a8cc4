import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { serveStorybook, type Storybook } from "./storybook";

const TITLE = "tool-cards/advisor-card";
let folder: string;
let storybook: Storybook;

test.describe.configure({ mode: "serial", timeout: 300_000 });

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-storybook-"));
  storybook = await serveStorybook(folder);
});

test.afterAll(async () => {
  await storybook.close();
  await rm(folder, { recursive: true, force: true });
});

for (const [name, label] of [
  ["Running", "Consulting"],
  ["Successful Advice", "Guidance ready"],
  ["Limit Reached", "Limit reached"],
  ["Failed", "Request failed"],
] as const) {
  test(`the story of the advisor state "${label}" renders without errors`, async ({
    page,
  }, info) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.goto(storybook.story(TITLE, name));
    await expect(page.getByRole("button", { name: /^Advisor/ })).toContainText(label);
    await page.screenshot({ path: info.outputPath("story.png") });
    expect(errors).toEqual([]);
  });
}

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { openStorybook, type Storybook } from "./storybook";

const TITLE = "tool-cards/advisor-card";
let folder: string;
let storybook: Storybook;

test.describe.configure({ mode: "serial", timeout: 300_000 });

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-storybook-"));
  storybook = await openStorybook(folder);
});

test.afterAll(async () => {
  await storybook.close();
  await rm(folder, { recursive: true, force: true });
});

for (const [name, words] of [
  ["Running", "Consulting"],
  ["Successful Advice", "Guidance ready"],
  ["Limit Reached", "Limit reached"],
  ["Failed", "Request failed"],
] as const) {
  test(`a reviewer sees the advisor's state "${words}" in Storybook`, async ({ page }, info) => {
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(storybook.story(TITLE, name));
    await expect(page.getByRole("button", { name: /^Advisor/ })).toContainText(words);
    await page.screenshot({ path: info.outputPath("story.png") });
    expect(complaints).toEqual([]);
  });
}

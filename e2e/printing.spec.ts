import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

/** Messages that the queue of a chat takes at once. */
const BATCH = 20;

const question = (index: number): string => `slow 1ms write 2 words as number ${index} of all`;

/** @returns the text of the page as it is printed, without spaces: lines break elsewhere on paper. */
const readPrint = async (page: Page): Promise<string> => {
  const path = test.info().outputPath("print.pdf");
  await page.pdf({ path, format: "A4" });
  const pdf = await getDocumentProxy(new Uint8Array(readFileSync(path)));
  const { text } = await extractText(pdf, { mergePages: true });
  return text.replaceAll(/\s+/g, "");
};

const squeeze = (text: string): string => text.replaceAll(/\s+/g, "");

const LONG_LINE = `const route = [${Array.from({ length: 40 }, (_, index) => `"port${index}"`).join(", ")}, "the end of the line"];`;

test("a chat is printed in full, with open cards, without controls and in light colors", async ({
  page,
  api,
}) => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of the file`);
  const file = { path: "long.txt", content: lines.join("\n") };
  const { id } = await api.createChat({ content: `use write_file with ${JSON.stringify(file)}` });
  await api.request(`PATCH /chats/${id}`, { title: "Harbor plan" });
  await api.waitForStatus(id);
  for (const text of [
    'use read_file with {"path":"long.txt"}',
    `\`\`\`ts\n${LONG_LINE}\n\`\`\`\n\n[the tide tables](https://example.org/tides)`,
  ]) {
    await api.send(id, text);
    await api.waitForStatus(id);
  }
  const { openChat, answers, log, message, workLines } = chatPage(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await openChat(id);
  await waitForHydration(message);
  await message.fill("A draft for later");
  const card = log.getByRole("button", { name: /Read file/, includeHidden: true });
  await expect(card).toHaveAttribute("aria-expanded", "false");
  await expect(workLines.last()).toHaveAttribute("aria-expanded", "false");
  await expect(answers.getByText("const", { exact: true })).toBeVisible();
  const text = await readPrint(page);
  for (const part of [
    "Harbor plan",
    "line 1 of the file",
    "line 60 of the file",
    "the end of the line",
    "the tide tables",
    "https://example.org/tides",
  ]) {
    expect(text).toContain(squeeze(part));
  }
  for (const part of [
    "A draft for later",
    "New chat",
    "Archived",
    "Write a message",
    "Demo with",
  ]) {
    expect(text).not.toContain(squeeze(part));
  }
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const colors = await page.evaluate(() => [
    getComputedStyle(document.body).backgroundColor,
    getComputedStyle(document.querySelector("[data-code-block] code span span") ?? document.body)
      .color,
  ]);
  expect(colors[0]).toBe("rgb(255, 255, 255)");
  // The color of a keyword of the light theme is dark.
  const [red = 255, green = 255, blue = 255] = (colors[1] ?? "").match(/\d+/g)?.map(Number) ?? [];
  expect(Math.min(red, green, blue)).toBeLessThan(100);
  await expect(page.getByRole("button", { name: "Copy answer" }).first()).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await expect(card).toHaveAttribute("aria-expanded", "false");
  await expect(workLines.last()).toHaveAttribute("aria-expanded", "false");
  await expect(message).toHaveValue("A draft for later");
});

test("a long chat is printed with all its messages, and Ctrl+P loads the older ones first", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({ content: question(0) });
  await api.waitForStatus(id);
  for (let sent = 1; sent <= 4 * BATCH; sent += BATCH) {
    for (let index = 0; index < BATCH; index++) await api.send(id, question(sent + index));
    await api.waitForStatus(id);
  }
  await page.addInitScript(() => {
    const view = window as unknown as { printed: number };
    view.printed = 0;
    window.print = () => void (view.printed += 1);
  });
  const { openChat, log, message } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await expect(log.getByText(question(4 * BATCH))).toBeVisible();
  const partly = await readPrint(page);
  expect(partly).toContain(squeeze("Older messages are not in this print"));
  expect(partly).not.toContain(squeeze(question(0)));

  await page.keyboard.press("Control+p");
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { printed: number }).printed))
    .toBe(1);
  const whole = await readPrint(page);
  for (let index = 0; index <= 4 * BATCH; index++) {
    expect(whole).toContain(squeeze(question(index)));
  }
  expect(whole).not.toContain(squeeze("Older messages"));
  // The screen is as it was: few of the rows are in the page.
  await expect(log.getByText(question(4 * BATCH))).toBeVisible();
  await expect(log.getByText(question(1), { exact: true })).toHaveCount(0);
});

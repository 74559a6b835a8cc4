import { expectAccessibleInThemes } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

const TITLE = "Summed up, as you asked";

test("a person sums up a chat, reads the card, goes on, and undoes it", async ({ page, api }) => {
  const { startChat, sendMessage, message, log, answers } = chatPage(page);
  const id = await startChat("write 5 words");
  await api.waitForStatus(id, ["waiting"]);
  await sendMessage("/compact the five words");
  const card = log.getByRole("article", { name: TITLE });
  await expect(card).toContainText("You asked to keep: the five words");
  await expect(card).toContainText(/\d+ → \d\S* tokens/);
  await expect(message).toHaveValue("");
  const toggle = card.getByRole("button", { name: "Show the summary" });
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(card).toContainText("write 5 words");
  await expect(card).toContainText("Written by demo/demo");
  // Below the pointer, a button may show its tooltip.
  await page.mouse.move(0, 0);
  await expectAccessibleInThemes(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const isWide = () =>
    page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(await isWide()).toBe(false);
  await expectAccessibleInThemes(page);

  await sendMessage("write 3 words");
  await expect(answers.last()).toContainText("a model reads");
  await api.waitForStatus(id, ["waiting"]);
  await page.reload();
  const undo = card.getByRole("button", { name: "Undo" });
  await waitForHydration(undo);
  await undo.click();
  await expect(card).toBeHidden();
  const { messages } = await api.history(id);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("a chat is cleared from its menu, and a summary that fails says why", async ({
  page,
  api,
}) => {
  const { startChat, sendMessage, log } = chatPage(page);
  const id = await startChat("write 5 words");
  await api.waitForStatus(id, ["waiting"]);
  await sendMessage("/compact fail auth");
  await expect(log.getByText("What came before could not be summed up.")).toBeVisible();
  await api.waitForStatus(id, ["waiting"]);
  await page.getByRole("button", { name: "Actions for this chat" }).click();
  await page.getByRole("menuitem", { name: "Clear the context" }).click();
  await expect(log.getByRole("article", { name: "Context cleared" })).toBeVisible();
  await expect(log.getByText("What came before could not be summed up.")).toBeHidden();
});

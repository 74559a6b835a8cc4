import type { Page } from "@playwright/test";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

const QUESTIONS = [
  {
    header: "Port",
    question: "Which port is the table for?",
    options: [{ label: "Brest", description: "On the Atlantic" }, { label: "Dover" }],
  },
  {
    header: "Days",
    question: "Which days do you sail?",
    options: [{ label: "Saturday" }, { label: "Sunday" }],
    multi_select: true,
  },
];
const ask = (...questions: object[]): string =>
  `use ask_user_question with ${JSON.stringify({ questions })}`;
const [PORT = {}] = QUESTIONS;

const questionCard = (page: Page) => {
  const { log, userMessages } = chatPage(page);
  return {
    send: log.getByRole("button", { name: "Send answer" }),
    choice: (name: string) => log.getByRole("radio", { name }),
    waiting: log.getByText("Needs you"),
    answered: log.getByRole("button", { name: /^Questions? .*Answered/ }),
    answer: userMessages.last(),
  };
};

test("a question ends the turn, and is answered by clicks", async ({ page, api }) => {
  const { startChat, answers } = chatPage(page);
  const card = questionCard(page);
  const chatId = await startChat(ask(PORT));
  await expect(card.waiting).toBeVisible();
  expect((await api.waitForStatus(chatId)).status).toBe("waiting");
  await card.choice("Dover").click();
  await card.send.click();
  await expect(card.answer).toContainText("Dover");
  await expect(card.answered).toBeVisible();
  await expect(card.choice("Dover")).toHaveCount(0);
  await expect(answers).toHaveCount(2);
  await api.waitForStatus(chatId);
  const { messages } = await api.history(chatId);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(messages[2]?.parts).toEqual([{ type: "text", text: "Dover" }]);
});

test("several questions are answered by keyboard alone, with a text of one's own", async ({
  page,
}) => {
  const card = questionCard(page);
  await chatPage(page).startChat(ask(...QUESTIONS));
  await expect(card.waiting).toBeVisible();
  const brest = card.choice("Brest");
  await expect(brest).toBeVisible();
  // From the message field, which has the focus, to the group of options above it.
  const focused = page.locator("input[type=radio]:focus");
  while ((await focused.count()) === 0) await page.keyboard.press("Shift+Tab");
  while (!(await brest.isChecked())) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("checkbox", { name: "Saturday" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("checkbox", { name: "Other" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Easter");
  await page.keyboard.press("Enter");
  await expect(card.answer).toContainText("1. Port: Brest");
  await expect(card.answer).toContainText("2. Days: Saturday, Easter");
});

test("a question is answered after a reload, and stays closed after another one", async ({
  page,
}) => {
  const card = questionCard(page);
  await chatPage(page).startChat(ask(PORT));
  await expect(card.waiting).toBeVisible();
  await page.reload();
  await card.choice("Brest").click();
  await card.send.click();
  await expect(card.answered).toBeVisible();
  await page.reload();
  await expect(card.answered).toBeVisible();
  await expect(card.choice("Brest")).toHaveCount(0);
});

test("an answer in one tab closes the question in another one", async ({ page, context }) => {
  const chatId = await chatPage(page).startChat(ask(PORT));
  const card = questionCard(page);
  await card.choice("Brest").click();
  const other = await context.newPage();
  await chatPage(other).openChat(chatId);
  const otherCard = questionCard(other);
  await otherCard.choice("Dover").click();
  await otherCard.send.click();
  await expect(card.answered).toBeVisible();
  await expect(card.choice("Brest")).toHaveCount(0);
  await expect(card.answer).toContainText("Dover");
});

test("a choice is taken when the page is ready for it, and is what is sent", async ({
  page,
  context,
}) => {
  const chatId = await chatPage(page).startChat(ask(PORT));
  await questionCard(page).choice("Brest").click();
  const slow = await context.newPage();
  const { promise: scriptsMayLoad, resolve: loadScripts } = Promise.withResolvers<undefined>();
  await slow.route("**/_next/static/**/*.js", async (route) => {
    await scriptsMayLoad;
    await route.continue();
  });
  await slow.goto(`/chats/${chatId}`, { waitUntil: "commit" });
  const card = questionCard(slow);
  const early = slow.locator("[inert]").getByText("Dover", { exact: true });
  await expect(early).toBeVisible();
  await early.click({ force: true });
  loadScripts(undefined);
  await card.choice("Dover").click();
  await card.send.click();
  await expect(card.answer).toContainText("Dover");
});

test("a message by REST answers a question, and the page shows it", async ({ page, api }) => {
  const chatId = await chatPage(page).startChat(ask(PORT));
  const card = questionCard(page);
  await expect(card.waiting).toBeVisible();
  await api.waitForStatus(chatId);
  await api.send(chatId, "Calais, please");
  await expect(card.answered).toBeVisible();
  const cards = chatPage(page).answers.first();
  await expect(cards.getByText("Calais, please")).toBeVisible();
  await expect(card.choice("Dover")).toHaveCount(0);
});

import type { Page } from "@playwright/test";
import type { Api } from "./api";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

const WRITE = 'use write_file with {"path":"tides.txt","content":"springs and neaps"}';
const FAIL = 'use read_file with {"path":"missing.txt"}';

const findCard = (page: Page, name: RegExp) => chatPage(page).log.getByRole("button", { name });

const createFinishedChat = async (api: Api, content: string): Promise<string> => {
  const { id } = await api.createChat({ content });
  await api.waitForStatus(id);
  return id;
};

test("the work of a turn is open while it runs, and a line after a reload", async ({ page }) => {
  const { startChat, answers, log, workLines, openWork } = chatPage(page);
  await startChat(WRITE);
  await expect(answers.last()).toContainText("The tool has answered");
  await expect(workLines).toHaveText(/^Worked \d+ s · 1 step$/);
  await expect(workLines).toHaveAttribute("aria-expanded", "true");
  const card = findCard(page, /Write file/);
  await expect(card).toBeVisible();

  await page.reload();
  await expect(workLines).toHaveAttribute("aria-expanded", "false");
  await expect(answers.last().getByText("The tool has answered")).toBeVisible();
  await expect(card).toHaveCount(0);
  // The search of the browser reaches it.
  await expect(
    log.locator("[hidden=until-found]").filter({ hasText: "Write file" }),
  ).toBeAttached();
  await openWork();
  await expect(card).toBeVisible();
  await workLines.press("Enter");
  await expect(card).toHaveCount(0);
  await expect(workLines).toHaveAttribute("aria-expanded", "false");
});

test("what the person opens stays open in other chats and back, until the page is loaded again", async ({
  page,
  api,
}) => {
  const { chatList, openChat, openWork, workLines, answers } = chatPage(page);
  const id = await createFinishedChat(api, WRITE);
  const other = await createFinishedChat(api, "write 3 words");
  await openChat(id);
  await openWork();
  await chatList.locator(`a[href="/chats/${other}"]`).first().click();
  await expect(answers.getByText("a model reads")).toBeVisible();
  await chatList.locator(`a[href="/chats/${id}"]`).first().click();
  await expect(workLines).toHaveAttribute("aria-expanded", "true");
  await page.reload();
  await expect(workLines).toHaveAttribute("aria-expanded", "false");
});

test("a link to a message with folded calls opens them, and the line names what failed", async ({
  page,
  api,
}) => {
  const id = await createFinishedChat(api, FAIL);
  const { openChat, workLines } = chatPage(page);
  await openChat(id);
  await expect(workLines).toHaveText(/1 step · 1 failed$/);
  await expect(findCard(page, /Read file/)).toHaveCount(0);
  await page.goto(`/chats/${id}?message=2`);
  await expect(findCard(page, /Read file/)).toBeVisible();
  await expect(workLines).toHaveAttribute("aria-expanded", "true");
});

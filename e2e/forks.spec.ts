import type { Page } from "@playwright/test";
import type { Api } from "./api";
import { expectAccessibleInThemes } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

/** A chat of two turns. */
const createTurns = async (api: Api): Promise<string> => {
  const { id } = await api.createChat({ content: "write 2 words about tides" });
  await api.waitForStatus(id);
  await api.send(id, "write 3 words");
  await api.waitForStatus(id);
  return id;
};

const branchButtons = (page: Page) => page.getByRole("button", { name: "Branch from here" });

test("a person branches at a message by keyboard, and goes back and forth", async ({
  page,
  api,
}) => {
  const id = await createTurns(api);
  const { openChat, log, message, answers, userMessages } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await expect(branchButtons(page)).toHaveCount(4);
  await answers.first().getByRole("button", { name: "Branch from here" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  const forkId = page.url().split("/").at(-1) ?? "";
  await expect(answers).toHaveCount(1);
  await expect(userMessages).toHaveCount(1);
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  expect(title).toMatch(/ \(branch\)$/);

  await message.fill("write 4 words");
  await message.press("Enter");
  await expect(answers).toHaveCount(2);
  await api.waitForStatus(forkId);
  expect((await api.history(id)).messages).toHaveLength(4);
  await expectAccessibleInThemes(page);

  const back = page.getByRole("link", { name: /^Branch of / });
  await back.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/chats/${id}`);
  await expect(userMessages).toHaveCount(2);
  const branches = page.getByRole("button", { name: "Branches: 1" });
  await branches.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Branches of this chat" })).toBeVisible();
  await expectAccessibleInThemes(page);
  await page
    .getByRole("link", { name: title ?? "" })
    .last()
    .click();
  await page.waitForURL(`**/chats/${forkId}`);

  expect((await api.request(`DELETE /chats/${id}`)).status).toBe(204);
  await page.reload();
  await expect(page.getByText("Branch of a deleted chat")).toBeVisible();
  await expect(log).toBeVisible();
});

test("on a phone, a branch at a message of the person is answered when it is asked for", async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await createTurns(api);
  const { openChat, message, answers, userMessages } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await userMessages.last().getByRole("button", { name: "Branch from here" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  await expect(userMessages).toHaveCount(2);
  await expect(answers).toHaveCount(1);
  await expect(page.getByRole("link", { name: /^Branch of / })).toBeVisible();
  const hint = page.getByText("This message has no answer. Edit it, or ask for one.");
  await expect(hint).toBeVisible();
  await expectAccessibleInThemes(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(answers).toHaveCount(2);
  await expect(hint).toHaveCount(0);
});

test("a history that a program gives is shown, and goes on", async ({ page, api }) => {
  const messages = [
    { role: "system", content: "Answer in one word." },
    { role: "user", content: "When is high water?" },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "I look it up." },
        {
          type: "tool_call",
          tool_call_id: "a",
          tool_name: "look_up",
          args: { port: "Oban" },
          output: { at: "11:04" },
        },
      ],
    },
    { role: "assistant", content: "11:04." },
  ];
  const { body } = await api.request("POST /chats", { messages });
  const { id } = body as { id: string };
  const { openChat, log, message, answers } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await expect(log).toContainText("Answer in one word.");
  await expect(answers.last()).toContainText("11:04.");
  await expectAccessibleInThemes(page);
  await message.fill("write 2 words");
  await message.press("Enter");
  await expect(answers).toHaveCount(2);
});

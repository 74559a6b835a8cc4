import { expect, test } from "../fixtures";
import { createHostileChat, HOSTILE_ANSWERS } from "./hostile-answers";

test("an answer that takes too long to parse is shown as it is written", async ({ page, api }) => {
  for (const [index, answer] of HOSTILE_ANSWERS.entries()) {
    const id = await createHostileChat(api, answer);
    await page.goto(`/chats/${id}`);
    await expect(page.getByRole("heading", { name: `The end of ${index}` })).toBeVisible();
    await expect(page.locator("[data-message-text] strong")).toHaveCount(0);
    await expect(page.getByRole("log")).toContainText(answer.slice(0, 100));
  }
});

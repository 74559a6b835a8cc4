import type { Locator, Page } from "@playwright/test";
import { chatPage, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

/** Low views of a page, in CSS pixels. */
const VIEWS = [
  ["at a zoom of 200 %", { width: 640, height: 360 }],
  ["at a zoom of 400 %", { width: 320, height: 256 }],
  ["on a phone on its side", { width: 844, height: 390 }],
  ["above an on-screen keyboard", { width: 390, height: 500 }],
] as const;

/** Smallest height for reading and filling a form, as a share of the view. */
const MIN_SHARE = 0.6;

/** Whether all of an element is in view, and nothing covers it. */
const isUncovered = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { left, top, bottom, width } = element.getBoundingClientRect();
    const points = [top + 2, (top + bottom) / 2, bottom - 2];
    return points.every((y) => {
      const hit = document.elementFromPoint(left + width / 2, y);
      return hit !== null && (element.contains(hit) || hit.contains(element));
    });
  });

/** The height of the view that an element takes, in CSS pixels. */
const measureVisibleHeight = (target: Locator): Promise<number> =>
  target.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.min(bottom, window.innerHeight) - Math.max(top, 0);
  });

/** Scrolls with the wheel, as a person does, until a condition holds. */
const wheelUntil = async (page: Page, by: number, holds: () => Promise<boolean>): Promise<void> => {
  await expect
    .poll(async () => {
      if (await holds()) return true;
      await page.mouse.wheel(0, by);
      return false;
    })
    .toBe(true);
};

for (const [name, viewport] of VIEWS) {
  test.describe(name, () => {
    test.use({ viewport });

    test("a form is filled, and the message field is reached", async ({ page, api }) => {
      const { id } = await api.createChat({
        content: 'use check_order with {"order":"A-17"}',
        dynamic_tools: [ORDER_TOOL],
      });
      await api.waitForStatus(id, ["requires_action"]);
      const { openChat, log, message, answers } = chatPage(page);
      await openChat(id);
      await waitForHydration(message);
      const form = log.getByRole("group", { name: "Your answer is needed" });
      const days = form.getByRole("textbox", { name: "Days" });
      await expect(days).toBeAttached();
      expect(await measureVisibleHeight(log)).toBeGreaterThan(MIN_SHARE * viewport.height);
      await log.hover();
      const note = form.getByRole("textbox", { name: "Note" });
      await wheelUntil(page, 40, () => isUncovered(days));
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(days).toHaveAttribute("aria-invalid", "true");
      await expect.poll(() => isUncovered(days)).toBe(true);
      await days.fill("2");
      await note.focus();
      await expect.poll(() => isUncovered(note)).toBe(true);
      await note.fill("by zoom");
      await wheelUntil(page, 200, () => isUncovered(message));
      await form.getByRole("button", { name: "Send answer" }).click();
      await expect(answers.last()).toContainText("by zoom");
      await message.fill("write 3 words");
      await expect.poll(() => isUncovered(message)).toBe(true);
    });

    test("settings, the chat list and a new chat are used", async ({ page, api }) => {
      await api.createChat({ content: "write 3 words" });
      await page.goto("/settings/account");
      const current = page.getByLabel("Current password");
      await waitForHydration(current);
      await page.mouse.move(viewport.width / 2, viewport.height / 2);
      const title = page.getByRole("heading", { level: 1 });
      await expect(title).toBeVisible();
      await wheelUntil(page, 40, () => isUncovered(current));
      await wheelUntil(page, 40, async () => ((await title.boundingBox())?.y ?? 0) < 0);
      await page.goto("/");
      const message = page.getByRole("textbox", { name: "Message" });
      await waitForHydration(message);
      await message.fill("Hello");
      await expect.poll(() => isUncovered(message)).toBe(true);
      if (viewport.width < 768) {
        await page.getByRole("button", { name: /^Open chat list/ }).click();
      }
      const account = page.getByRole("button", { name: /^Account/ });
      await account.click();
      const item = page.getByRole("menuitem", { name: "Sign out" });
      await item.hover();
      await expect.poll(() => isUncovered(item)).toBe(true);
    });
  });
}

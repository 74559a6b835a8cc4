import { expect, type Locator, type Page } from "@playwright/test";

/** @returns a function that presses a key until a locator has the focus. */
export const createTabTo =
  (page: Page, key: "Tab" | "Shift+Tab" = "Tab") =>
  async (target: Locator): Promise<void> => {
    await expect(target).toBeVisible();
    for (let press = 0; press < 60; press++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} does not lead to ${String(target)}`);
  };

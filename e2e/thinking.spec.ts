import { expectAccessible } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { createTabTo } from "./tab-to";

for (const width of [1280, 390]) {
  test(`how much the model thinks is chosen by keyboard, for a new chat and in it, at ${width} px`, async ({
    page,
    api,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const { message, log, answers } = chatPage(page);
    await waitForHydration(message);
    await message.fill("Is it late?");
    const button = page.getByRole("button", { name: /^Thinking/ });
    await createTabTo(page)(button);
    await page.keyboard.press("ArrowDown");
    const menu = page.getByRole("menu");
    await expect(menu.getByRole("menuitemradio", { name: /by itself/ })).toBeFocused();
    // To the last one.
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Thinking: high" })).toBeFocused();
    await message.press("Enter");
    await page.waitForURL(/\/chats\//);
    await expect(answers.first()).toContainText("You said");
    await expect(log.getByRole("button", { name: /^Reason/ })).toHaveCount(1);
    const id = page.url().split("/").at(-1) ?? "";
    expect(await api.chat(id)).toMatchObject({ reasoning_effort: "high" });

    await page.getByRole("button", { name: "Thinking: high" }).press("Enter");
    await page.getByRole("menuitemradio", { name: "Off" }).press("Enter");
    await expect(page.getByRole("button", { name: "Thinking: off" })).toBeFocused();
    await message.fill("And now?");
    await message.press("Enter");
    await expect(answers).toHaveCount(2);
    await expect(log.getByRole("button", { name: /^Reason/ })).toHaveCount(1);
    await expectAccessible(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
}

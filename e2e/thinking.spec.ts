import { expectAccessible } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { createTabTo } from "./tab-to";

for (const width of [1280, 390]) {
  test(`how the model answers is chosen by keyboard, for a new chat and in it, at ${width} px`, async ({
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
    await page.keyboard.press("Enter");
    const settings = page.getByRole("dialog", { name: "Answers in this chat" });
    await expect(settings.getByRole("radio", { name: /by itself/ })).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(settings.getByRole("radio", { name: "High" })).toBeChecked();
    await page.keyboard.press("Tab");
    await page.keyboard.type("2,000");
    await page.keyboard.press("Tab");
    await page.keyboard.type("0,5");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Thinking: high" })).toBeFocused();
    await message.press("Enter");
    await page.waitForURL(/\/chats\//);
    await expect(answers.first()).toContainText("You said");
    await expect(log.getByRole("button", { name: /^Reason/ })).toHaveCount(1);
    const id = page.url().split("/").at(-1) ?? "";
    expect(await api.chat(id)).toMatchObject({
      reasoning_effort: "high",
      max_output_tokens: 2_000,
      temperature: 0.5,
    });

    await page.getByRole("button", { name: "Thinking: high" }).press("Enter");
    await expect(settings.getByRole("textbox", { name: "Temperature" })).toHaveValue("0.5");
    await settings.getByRole("textbox", { name: "Temperature" }).fill("");
    await settings.getByRole("radio", { name: "Off" }).press("Space");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Thinking: off" })).toBeFocused();
    await expect.poll(async () => (await api.chat(id)).temperature).toBeUndefined();
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

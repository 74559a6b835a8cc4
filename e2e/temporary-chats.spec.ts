import { expectAccessible } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { createTabTo } from "./tab-to";

for (const width of [1280, 390]) {
  test(`a temporary chat begins, is in no list, and is kept by keyboard, at ${width} px`, async ({
    page,
    api,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const { message, answers } = chatPage(page);
    await waitForHydration(message);
    const toggle = page.getByRole("button", { name: "Temporary chat" });
    await message.focus();
    await page.keyboard.press("Shift+Tab");
    await expect(toggle).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(toggle).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText(/In no list and no search/)).toBeVisible();
    await expectAccessible(page);
    await message.fill("Where do okapis live?");
    await message.press("Enter");
    await page.waitForURL(/\/chats\//);
    await expect(answers.first()).toContainText("You said");
    const id = page.url().split("/").at(-1) ?? "";
    await api.waitForStatus(id);
    expect((await api.chat(id)).expires_at).toBeDefined();
    const listed = async (): Promise<boolean> => {
      const { body } = await api.request("GET /chats");
      return (body as { data: { id: string }[] }).data.some((chat) => chat.id === id);
    };
    expect(await listed()).toBe(false);

    await page.reload();
    await waitForHydration(message);
    await expect(answers.first()).toContainText("You said");
    await expect(page.locator(`a[href="/chats/${id}"]`)).toHaveCount(0);
    const mark = page.getByRole("button", { name: "Temporary" });
    await createTabTo(page)(mark);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Temporary chat" });
    await expect(dialog).toContainText("is deleted with its files on");
    await dialog.getByRole("button", { name: "Keep this chat" }).press("Enter");
    await expect(mark).toHaveCount(0);
    await expect.poll(listed).toBe(true);
    expect((await api.chat(id)).expires_at).toBeUndefined();
    if (width === 1280) await expect(page.locator(`a[href="/chats/${id}"]`)).toBeVisible();
    await expectAccessible(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
}

import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { slowDown } from "./slow-page";

const palette = (page: Page) => page.getByRole("combobox", { name: "Chats, actions and settings" });
const textToFind = (page: Page) => page.getByRole("textbox", { name: "Text to find" });
const sidebar = (page: Page) => page.getByRole("complementary", { name: "Chats" });

test("the palette is the first action on a page, and takes what is typed while it loads", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({ content: "write 3 words" });
  await api.waitForStatus(id);
  await api.request(`PATCH /chats/${id}`, { title: "Tides around Oban" });
  const { promise: loading, resolve: load } = Promise.withResolvers<void>();
  await page.goto("/");
  const { message } = chatPage(page);
  await waitForHydration(message);
  await expect(message).toBeFocused();
  await page.route("**/_next/static/chunks/**", async (route) => {
    await loading;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("obann");
  await page.keyboard.press("Backspace");
  load();
  await expect(palette(page)).toBeFocused();
  await expect(palette(page)).toHaveValue("oban");
  await expect(message).toHaveValue("");
  await expect(page.getByRole("option", { name: /Tides around Oban/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/chats/${id}`));
  await expect(palette(page)).toHaveCount(0);
  await expect(message).toBeFocused();
});

for (const [name, keys, findField] of [
  ["palette", "Control+k", palette],
  ["search of a chat", "Control+Shift+F", textToFind],
] as const) {
  test(`the ${name} loses no key while it opens on a slow device`, async ({ page, api }) => {
    const { id } = await api.createChat({ content: "write 3 words" });
    await api.waitForStatus(id);
    await chatPage(page).openChat(id);
    await waitForHydration(chatPage(page).message);
    await slowDown(page);
    await page.keyboard.press(keys);
    const typed = "the tides around the harbour of oban in november";
    await page.keyboard.type(typed);
    await expect(findField(page)).toHaveValue(typed);
  });
}

test("the palette leads to a page of settings, and renames the chat of the page", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({ content: "write 3 words" });
  await api.waitForStatus(id);
  const { openChat, message } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("rename");
  await expect(palette(page)).toHaveValue("rename");
  await page.keyboard.press("Enter");
  const title = page.getByRole("textbox", { name: "Chat title" });
  await expect(title).toBeFocused();
  await page.keyboard.type("Sails");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Sails" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("appear");
  await expect(page.getByRole("option", { name: "Appearance" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings\/appearance$/);
  await expect(page.getByRole("radio", { name: "System" })).toBeVisible();
});

test("a question mark shows the shortcuts outside of fields, unless single keys are off", async ({
  page,
}) => {
  await page.goto("/settings/appearance");
  await waitForHydration(page.getByRole("radio", { name: "System" }));
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole("switch").uncheck();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
  await expect(sheet).toHaveCount(0);
  await page.keyboard.type("shortcuts");
  await page.keyboard.press("Enter");
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/");
  const { message } = chatPage(page);
  await expect(message).toBeFocused();
  await page.keyboard.type("[why?");
  await expect(message).toHaveValue("[why?");
  await expect(sheet).toHaveCount(0);
});

for (const width of [1024, 1440]) {
  test(`the chat list stays hidden after a reload of a page ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    await waitForHydration(chatPage(page).message);
    await page.getByRole("button", { name: "Hide chat list" }).click();
    await expect(sidebar(page)).toBeHidden();
    const show = page.getByRole("button", { name: "Open chat list" });
    await expect(show).toBeFocused();
    await page.route("**/*.js", (route) => route.abort());
    await page.reload();
    // Without a script: the server knows it.
    await expect(show).toBeVisible();
    await expect(sidebar(page)).toBeHidden();
    await page.unroute("**/*.js");
    await page.goto("/settings/appearance");
    await waitForHydration(show);
    await show.click();
    await expect(sidebar(page)).toBeVisible();
    await expect(page.getByRole("button", { name: "Hide chat list" })).toBeFocused();
    await page.keyboard.press("[");
    await expect(sidebar(page)).toBeHidden();
    await page.keyboard.press("[");
    await expect(sidebar(page)).toBeVisible();
  });
}

test("the arrow key up edits the last message", async ({ page, api }) => {
  const { id } = await api.createChat({ content: "write 3 words" });
  await api.waitForStatus(id);
  const { openChat, message, log } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await expect(message).toBeFocused();
  await page.keyboard.press("ArrowUp");
  const editor = log.getByRole("textbox", { name: "Message" });
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue("write 3 words");
  await page.keyboard.press("Escape");
  await expect(editor).toHaveCount(0);
  await expect(message).toBeFocused();
});

import type { Page } from "@playwright/test";
import { createApi } from "./api";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { startMockProvider } from "./mock-provider";
import { createTabTo } from "./tab-to";

const PROVIDER_KEY = "key-of-the-mock-provider-0123456789";
const OWNER = { name: "Ada", email: "ada@example.org", password: "correct horse" };

/** How a person works the page: by a pointer, or by the keyboard alone. */
const createHand = (page: Page, withKeyboard: boolean) => {
  const { keyboard } = page;
  const tabTo = createTabTo(page);
  if (!withKeyboard) {
    return {
      press: (name: string | RegExp) => page.getByRole("button", { name }).click(),
      follow: (name: string) => page.getByRole("link", { name, exact: true }).click(),
      chooseItem: (name: string) => page.getByRole("menuitem", { name }).click(),
      check: (name: string) => page.getByText(name, { exact: true }).click(),
      checkNext: (name: string) => page.getByText(name, { exact: true }).click(),
      select: (label: string, option: string) =>
        page.getByRole("combobox", { name: label }).selectOption(option),
      write: (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
    };
  }
  return {
    press: async (name: string | RegExp) => {
      await tabTo(page.getByRole("button", { name }));
      await keyboard.press("Enter");
    },
    follow: async (name: string) => {
      await tabTo(page.getByRole("link", { name, exact: true }));
      await keyboard.press("Enter");
    },
    chooseItem: async (name: string) => {
      const item = page.getByRole("menuitem", { name });
      await expect(item).toBeVisible();
      // The focus moves into a menu after it appeared; then typing a name moves it to that item.
      await expect(page.locator('[role="menu"]:is(:focus, :has(:focus))')).toHaveCount(1);
      await keyboard.type(name);
      await expect(item).toBeFocused();
      await keyboard.press("Enter");
    },
    check: async (name: string) => {
      // A group of radio buttons is one stop, at its first one while none is checked.
      await tabTo(page.getByRole("radio", { name, exact: true }));
      await keyboard.press("Space");
    },
    /** @param checked the option that is checked, at which a group is one stop. */
    checkNext: async (name: string, checked: string) => {
      await tabTo(page.getByRole("radio", { name: checked, exact: true }));
      await keyboard.press("ArrowDown");
      await expect(page.getByRole("radio", { name, exact: true })).toBeChecked();
    },
    select: async (label: string, option: string) => {
      await tabTo(page.getByRole("combobox", { name: label }));
      await keyboard.type(option);
    },
    write: async (label: string, text: string) => {
      await tabTo(page.getByLabel(label, { exact: true }));
      await keyboard.press("ControlOrMeta+a");
      await keyboard.type(text);
    },
  };
};

test.use({ storageState: { cookies: [], origins: [] } });

for (const { title, width, withKeyboard } of [
  { title: "on a phone", width: 390, withKeyboard: false },
  { title: "on a wide screen, with the keyboard only", width: 1440, withKeyboard: true },
]) {
  test.describe(title, () => {
    test.use({ viewport: { width, height: 844 } });

    test("a person with no documentation answers a tool, connects a model and makes an API key, from an empty data directory", async ({
      page,
      newServer,
    }) => {
      const { press, follow, chooseItem, check, checkNext, select, write } = createHand(
        page,
        withKeyboard,
      );
      const { log, answers } = chatPage(page);
      const openChatList = async (): Promise<void> => {
        if (width < 768) await press(/^Open chat list/);
      };
      const openSettings = async (): Promise<void> => {
        await openChatList();
        await press(/^Account/);
        await chooseItem("Settings");
        // The address without a page leads to the first one, on which the list of pages is closed.
        await expect(page).toHaveTitle(/^Models · Settings · Parley$/);
      };
      const provider = await startMockProvider();
      try {
        await page.goto(newServer.url);
        await write("Name", OWNER.name);
        await write("Email", OWNER.email);
        await write("Password", OWNER.password);
        await press("Create account");

        // The page says what Parley is and what answers.
        await expect(page.getByText(/^Parley is a chat on your own server/)).toBeVisible();
        await expect(page.getByText("The demo model answers")).toBeVisible();
        await press(/A tool that you answer/);
        const form = log.getByRole("group", { name: "Your answer is needed" });
        await expect(form).toContainText("blood oranges");
        await write("Quantity", "12");
        await check("Yes");
        await press("Send answer");
        await expect(form).toBeHidden();
        await expect(answers.last()).toContainText('"quantity":12');

        // A real model is connected, and answers the next chat.
        await openSettings();
        await press("Add model");
        await select("Provider", "OpenAI-compatible");
        await write("Model", "mock");
        await write("API key", PROVIDER_KEY);
        await write("Base URL", provider.url);
        await press("Save and test");
        await expect(page.getByText("mock answers.")).toBeVisible();
        await openChatList();
        await follow("New chat");
        await expect(page.getByText("The demo model answers")).toBeHidden();
        await write("Message", "Hello");
        await press("Send");
        await expect(answers.last()).toContainText("Done.");
        expect(provider.listRequests().at(-1)?.messages.at(-1)).toMatchObject({ role: "user" });

        // An API key works at once.
        await openSettings();
        // A narrow page shows the list of pages when it is asked for.
        if (width < 768) await press("Settings");
        await follow("API keys");
        await press("New key");
        await write("Name", "My program");
        await checkNext("A program that chats", "A program that answers tools");
        await press("Create key");
        const panel = page.getByRole("group", { name: "Your key “My program” is ready" });
        const client = createApi(newServer.url, await panel.getByRole("code").innerText());
        const { status, body } = await client.request("GET /chats");
        expect(status).toBe(200);
        expect(body).toMatchObject({ data: [expect.anything(), expect.anything()] });
      } finally {
        await provider.close();
      }
    });
  });
}

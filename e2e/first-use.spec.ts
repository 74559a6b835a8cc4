import type { Locator, Page } from "@playwright/test";
import type { Api } from "./api";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

/** Parts of a page that load when they are first used, each as the first action after the page is loaded. */

type FocusWindow = Window & { focusedElements: string[] };

/** Records the names of all elements that get the focus. */
const recordFocus = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const view = window as unknown as FocusWindow;
    view.focusedElements = [];
    document.addEventListener("focusin", ({ target }) => {
      const element = target as HTMLElement;
      const label = document.querySelector(`label[for="${CSS.escape(element.id)}"]`);
      const name = element.getAttribute("aria-label") ?? (label ?? element).textContent;
      view.focusedElements.push(name.trim());
    });
  });
};

/** Forgets what had the focus so far. */
const startRecording = (page: Page): Promise<void> =>
  page.evaluate(() => void ((window as unknown as FocusWindow).focusedElements = []));

const readFocused = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as FocusWindow).focusedElements);

/** Waits for the timers and frames in which the focus could be moved. */
const waitForFocusMoves = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) {
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
    }
  });

type Press = (target: Locator) => Promise<void>;

const click: Press = (target) => target.click();
const tap: Press = (target) => target.tap();
const pressKey =
  (key: string): Press =>
  async (target) => {
    await target.focus();
    await target.press(key);
  };

const WAYS: readonly (readonly [name: string, open: Press, choose: Press])[] = [
  ["by mouse", click, click],
  ["by Enter", pressKey("Enter"), pressKey("Enter")],
  ["by an arrow key", pressKey("ArrowDown"), pressKey("Enter")],
];

const createNamed = async (api: Api, title: string): Promise<string> => {
  const { id } = await api.createChat({ content: "write 3 words" });
  await api.request(`PATCH /chats/${id}`, { title });
  await api.waitForStatus(id);
  return id;
};

/** Renames a chat with the keys of a person who looks at nothing but the field. */
const rename = async (page: Page, choose: Press): Promise<void> => {
  await choose(page.getByRole("menuitem", { name: "Rename" }));
  const field = page.getByRole("textbox", { name: "Chat title" });
  await expect(field).toBeFocused();
  await waitForFocusMoves(page);
  await page.keyboard.type("Tide tables");
  await expect(field).toHaveValue("Tide tables");
  await page.keyboard.press("Enter");
  await expect(field).toHaveCount(0);
};

/** A chat has its new name, and nothing was sent in it or in a new chat. */
const expectRenamed = async (page: Page, api: Api, id: string): Promise<void> => {
  await expect.poll(async () => (await api.chat(id)).title).toBe("Tide tables");
  expect((await api.history(id)).messages).toHaveLength(2);
  expect(new URL(page.url()).pathname).toBe(`/chats/${id}`);
  await expect(chatPage(page).message).toHaveValue("");
};

for (const [way, open, choose] of WAYS) {
  test(`a chat is renamed ${way}`, async ({ page, api }) => {
    const id = await createNamed(api, "Harbor");
    await recordFocus(page);
    const { openChat, chatList, message } = chatPage(page);
    await openChat(id);
    await expect(message).toBeFocused();
    await startRecording(page);
    await open(chatList.getByRole("button", { name: "Actions for Harbor" }));
    await expect(page.getByRole("menuitem", { name: "Rename" })).toBeVisible();
    await waitForFocusMoves(page);
    await rename(page, choose);
    const focused = await readFocused(page);
    expect(focused.slice(0, focused.indexOf("Chat title"))).not.toContain("Message");
    await expectRenamed(page, api, id);
  });
}

/** Holds the scripts back that the page asks for from now on. @returns what lets them through. */
const holdScripts = async (page: Page): Promise<() => void> => {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*.js", async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
};

test("a menu is used from the button that has the focus, while its parts are on their way", async ({
  page,
  api,
}) => {
  const id = await createNamed(api, "Harbor");
  await recordFocus(page);
  const { openChat, chatList, message } = chatPage(page);
  await openChat(id);
  await expect(message).toBeFocused();
  const release = await holdScripts(page);
  const button = chatList.getByRole("button", { name: "Actions for Harbor" });
  await startRecording(page);
  await button.click();
  await waitForFocusMoves(page);
  await expect(button).toBeFocused();
  release();
  await expect(page.getByRole("menu")).toBeVisible();
  await waitForFocusMoves(page);
  expect(await readFocused(page)).not.toContain("Message");
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
});

test("a message is edited from the button that has the focus, while its editor is on the way", async ({
  page,
  api,
}) => {
  const id = await createNamed(api, "Harbor");
  await recordFocus(page);
  const { openChat, message, userMessages, log } = chatPage(page);
  await openChat(id);
  await expect(message).toBeFocused();
  const release = await holdScripts(page);
  const button = userMessages.getByRole("button", { name: "Edit message" });
  await button.focus();
  await startRecording(page);
  await page.keyboard.press("Enter");
  await waitForFocusMoves(page);
  await expect(button).toBeFocused();
  await page.keyboard.type("Tide");
  expect(await readFocused(page)).not.toContain("Message");
  release();
  const field = log.getByRole("textbox", { name: "Message" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("write 3 words");
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(message).toHaveValue("");
});

test.describe("with a tool that asks first", () => {
  const setMode = async (api: Api, mode: "ask" | "on"): Promise<void> => {
    expect((await api.request("PUT /tools/write_file", { mode })).status).toBe(200);
  };
  test.beforeEach(({ api }) => setMode(api, "ask"));
  test.afterEach(({ api }) => setMode(api, "on"));

  test("the arguments of a call stay in sight, while their editor is on the way", async ({
    page,
    api,
  }) => {
    await recordFocus(page);
    const { startChat, log, answers } = chatPage(page);
    const id = await startChat('Write "one" to a.txt');
    const button = log.getByRole("button", { name: "Edit…" });
    await expect(button).toBeVisible();
    const release = await holdScripts(page);
    await startRecording(page);
    await button.click();
    await waitForFocusMoves(page);
    await expect(button).toBeFocused();
    await expect(log.getByText("a.txt", { exact: true })).toBeVisible();
    expect(await readFocused(page)).not.toContain("Message");
    release();
    const field = log.getByRole("textbox", { name: "Arguments" });
    await expect(field).toBeFocused();
    await field.fill('{"path": "b.txt", "content": "two"}');
    await log.getByRole("button", { name: /^Approve/ }).click();
    await expect(answers.last()).toContainText("The tool has answered");
    const { messages } = await api.history(id);
    expect(messages.flatMap(({ parts }) => parts)).toContainEqual(
      expect.objectContaining({ approved_args: { path: "b.txt", content: "two" } }),
    );
  });
});

for (const [way, open, choose] of WAYS.slice(0, 2)) {
  test.describe(way, () => {
    const openPage = async (page: Page, api: Api): Promise<void> => {
      const id = await createNamed(api, "Harbor");
      await recordFocus(page);
      await chatPage(page).openChat(id);
      await expect(chatPage(page).message).toBeFocused();
      await startRecording(page);
    };
    /** Opens what a button opens, and closes it: the focus goes there and back, and nowhere else. */
    const expectThereAndBack = async (page: Page, button: Locator, popup: Locator) => {
      await open(button);
      await expect(popup).toBeVisible();
      await waitForFocusMoves(page);
      await page.keyboard.press("Escape");
      await expect(popup).toHaveCount(0);
      await waitForFocusMoves(page);
      await expect(button).toBeFocused();
      expect(await readFocused(page)).not.toContain("Message");
    };

    test("the menu of the account opens and closes", async ({ page, api }) => {
      await openPage(page, api);
      const button = page.getByRole("button", { name: /^Account/ });
      await expectThereAndBack(page, button, page.getByRole("menu"));
    });

    test("the menu of the chat in the header opens and closes", async ({ page, api }) => {
      await openPage(page, api);
      const button = page.getByRole("button", { name: "Actions for this chat" });
      await expectThereAndBack(page, button, page.getByRole("menu"));
    });

    test("the list of models opens and closes", async ({ page, api }) => {
      await openPage(page, api);
      const button = page.getByRole("combobox", { name: "Model" });
      await expectThereAndBack(page, button, page.getByRole("dialog", { name: "Models" }));
    });

    test("a model is found and chosen", async ({ page, api }) => {
      await openPage(page, api);
      const button = page.getByRole("combobox", { name: "Model" });
      await open(button);
      const search = page.getByRole("combobox", { name: "Search models" });
      await expect(search).toBeFocused();
      await waitForFocusMoves(page);
      await page.keyboard.type("xml");
      await expect(page.getByRole("option")).toHaveCount(1);
      await page.keyboard.press("Enter");
      await expect(search).toHaveCount(0);
      await expect(button).toHaveText("Demo with XML");
      await waitForFocusMoves(page);
      await expect(button).toBeFocused();
      expect(await readFocused(page)).not.toContain("Message");
      const id = page.url().split("/").at(-1) ?? "";
      await page.reload();
      await expect(button).toHaveText("Demo with XML");
      expect((await api.history(id)).messages).toHaveLength(2);
    });

    test("the chat is renamed in the header", async ({ page, api }) => {
      const id = await createNamed(api, "Harbor");
      await chatPage(page).openChat(id);
      await expect(chatPage(page).message).toBeFocused();
      await open(page.getByRole("button", { name: "Actions for this chat" }));
      await rename(page, choose);
      await expectRenamed(page, api, id);
    });

    test("a question that a menu item asks has the focus, and gives it back to the button", async ({
      page,
      api,
    }) => {
      const { body } = await api.request("POST /models", {
        provider: "openai-compatible",
        model: "unused",
        base_url: "http://127.0.0.1:9/v1",
        name: "Unused",
      });
      await page.goto("/settings/models");
      const button = page.getByRole("button", { name: "More for Unused" });
      await waitForHydration(button);
      await open(button);
      await choose(page.getByRole("menuitem", { name: "Delete" }));
      const dialog = page.getByRole("alertdialog");
      await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
      await waitForFocusMoves(page);
      await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await expect(button).toBeFocused();
      await api.request(`DELETE /models/${(body as { id: string }).id}`);
    });
  });
}

test("a question about a text that is sent by Enter keeps the text and the focus", async ({
  page,
  api,
}) => {
  const id = await createNamed(api, "Harbor");
  const { openChat, message } = chatPage(page);
  await openChat(id);
  await expect(message).toBeFocused();
  await page.keyboard.type("/nothing here");
  await page.keyboard.press("Enter");
  const dismiss = page.getByRole("button", { name: "Keep editing" });
  await expect(dismiss).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(message).toBeFocused();
  await expect(message).toHaveValue("/nothing here");
});

test("a hint leaves the focus where it is", async ({ page, api }) => {
  const id = await createNamed(api, "Harbor");
  const { openChat, message, answers } = chatPage(page);
  await openChat(id);
  await expect(message).toBeFocused();
  await message.press("Shift+Tab");
  const copy = answers.getByRole("button", { name: "Copy answer" });
  await copy.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByText("Copy answer", { exact: true })).toBeVisible();
  await waitForFocusMoves(page);
  await expect(copy).toBeFocused();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a chat is renamed in the chat list", async ({ page, api }) => {
    const id = await createNamed(api, "Harbor");
    await recordFocus(page);
    await chatPage(page).openChat(id);
    const open = page.getByRole("button", { name: "Open chat list" });
    await waitForHydration(open);
    await tap(open);
    const drawer = page.getByRole("dialog", { name: "Chats" });
    await tap(drawer.getByRole("button", { name: "Actions for Harbor" }));
    await rename(page, tap);
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);
    await waitForFocusMoves(page);
    // The on-screen keyboard would open.
    expect(await readFocused(page)).not.toContain("Message");
    await expectRenamed(page, api, id);
  });

  test("a model is chosen without the keyboard of the screen", async ({ page, api }) => {
    const id = await createNamed(api, "Harbor");
    await recordFocus(page);
    await chatPage(page).openChat(id);
    const button = page.getByRole("combobox", { name: "Model", exact: true });
    await waitForHydration(button);
    await startRecording(page);
    await tap(button);
    const model = page.getByRole("option", { name: "Demo with XML" });
    await expect(model).toBeInViewport();
    await waitForFocusMoves(page);
    await expect(page.locator("input:focus, textarea:focus")).toHaveCount(0);
    await tap(model);
    await expect(button).toHaveText("Demo with XML");
    await waitForFocusMoves(page);
    expect(await readFocused(page)).not.toContain("Message");
    expect(await readFocused(page)).not.toContain("Search models");
  });
});

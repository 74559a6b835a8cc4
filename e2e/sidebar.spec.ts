import type { Page } from "@playwright/test";
import type { Api } from "./api";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

/** Messages that the queue of a chat takes. */
const BATCH = 20;

const linkTo = (page: Page, chatId: string) =>
  chatPage(page).chatList.locator(`a[href^="/chats/${chatId}"]`);

const createAnswered = async (api: Api, content: string): Promise<string> => {
  const { id } = await api.createChat({ content });
  await api.waitForStatus(id);
  return id;
};

/** A message with a short answer. */
const filler = (index: number): string => `slow 1ms write 2 words as filler ${index}`;

/** A chat of more messages than its page loads at first. */
const createLong = async (api: Api, first: string): Promise<string> => {
  const id = await createAnswered(api, first);
  for (let sent = 0; sent < 2 * BATCH; sent += BATCH) {
    for (let index = 0; index < BATCH; index++) await api.send(id, filler(sent + index));
    await api.waitForStatus(id);
  }
  return id;
};

const selectAction = async (page: Page, title: string, action: string): Promise<void> => {
  await chatPage(page)
    .chatList.getByRole("button", { name: `Actions for ${title}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
};

const FIRST = "Where does the narwhal live?";

test("a search leads to an old message of a long chat, which is read by scrolling and by buttons", async ({
  page,
  api,
}) => {
  const long = await createLong(api, FIRST);
  const archived = await createAnswered(api, "The teeth of the narwhal");
  await api.request(`PATCH /chats/${archived}`, { archived: true, title: "Dentistry" });
  await api.request(`PATCH /chats/${long}`, { title: "Sea" });
  await page.goto("/");
  const { log, chatList, openChat, userMessages } = chatPage(page);
  await page.getByRole("textbox", { name: "Search chats" }).fill("NARWHAL");
  await expect(linkTo(page, archived)).toContainText("Archived");
  const found = linkTo(page, long);
  await expect(found.locator("mark").first()).toHaveText("narwhal");
  await found.click();
  // The demo model repeats the question in its answer, which is the newest message that has it.
  await expect(log.getByText(FIRST).last()).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`/chats/${long}$`));

  // The archived chat says so, and is restored from its own page.
  await linkTo(page, archived).click();
  await page.getByRole("main").getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toBeEnabled();
  await page.getByRole("button", { name: "Clear search" }).click();
  const today = chatList.getByRole("group", { name: "Today" });
  await expect(today.locator(`a[href="/chats/${archived}"]`)).toBeVisible();

  // Older messages load by scrolling.
  await openChat(long);
  await expect(log.getByText(filler(2 * BATCH - 1))).toBeInViewport();
  await expect(log.getByText(FIRST)).toHaveCount(0);
  const oldest = await userMessages.first().textContent();
  await log.hover();
  await page.mouse.wheel(0, -100_000);
  await expect(userMessages.first()).not.toHaveText(oldest ?? "");

  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(log.getByText(filler(2 * BATCH - 1))).toBeInViewport();
  await page.mouse.wheel(0, -800);
  await page.getByRole("button", { name: "First message" }).click();
  const first = userMessages.filter({ hasText: FIRST });
  await expect(first).toBeInViewport();
  await page.getByRole("button", { name: "Your next message" }).click();
  await expect(log.getByText(filler(0), { exact: true })).toBeInViewport();
  await expect(first).not.toBeInViewport();
  await page.getByRole("button", { name: "Your previous message" }).click();
  await expect(first).toBeInViewport();
});

test("what one device has read is read on the others", async ({
  page,
  browser,
  server,
  session,
  api,
}) => {
  const id = await createAnswered(api, "Tell me something");
  // What sends it comes after the page, which may be left before.
  const hasRead = page.waitForResponse(/chats\.markRead/);
  await chatPage(page).openChat(id);
  await expect(chatPage(page).answers).toHaveCount(1);
  await hasRead;
  await page.goto("/settings/account");
  await api.send(id, "Tell me more");
  await expect(linkTo(page, id)).toHaveAccessibleName(/^Unread /);
  const other = await browser.newContext({ baseURL: server.url, storageState: session });
  const device = await other.newPage();
  await chatPage(device).openChat(id);
  await expect(chatPage(device).answers).toHaveCount(2);
  await expect(linkTo(page, id)).not.toHaveAccessibleName(/Unread/);
  await page.reload();
  await expect(linkTo(page, id)).not.toHaveAccessibleName(/Unread/);
  await other.close();
});

test("archiving and deleting can be undone, and a closed page deletes what was deleted", async ({
  page,
  api,
}) => {
  const id = await createAnswered(api, "Second thoughts");
  await api.request(`PATCH /chats/${id}`, { title: "Second thoughts" });
  await page.goto("/settings/account");
  const undo = page.getByRole("button", { name: "Undo" });
  const exists = async (): Promise<boolean> =>
    (await api.request(`GET /chats/${id}`)).status === 200;

  await selectAction(page, "Second thoughts", "Archive");
  await expect(linkTo(page, id)).toHaveCount(0);
  await undo.click();
  await expect(linkTo(page, id)).toBeVisible();
  expect(await api.chat(id)).toMatchObject({ archived: false });

  await selectAction(page, "Second thoughts", "Delete");
  await expect(linkTo(page, id)).toHaveCount(0);
  expect(await exists()).toBe(true);
  await undo.click();
  await expect(linkTo(page, id)).toBeVisible();
  await expect(undo).toHaveCount(0);

  // Nothing is sent later for a deletion that was undone, and the next one is.
  await selectAction(page, "Second thoughts", "Delete");
  await expect.poll(exists).toBe(false);

  const closed = await createAnswered(api, "Close me");
  await api.request(`PATCH /chats/${closed}`, { title: "Close me" });
  await selectAction(page, "Close me", "Delete");
  await expect(linkTo(page, closed)).toHaveCount(0);
  await page.close({ runBeforeUnload: true });
  await expect.poll(async () => (await api.request(`GET /chats/${closed}`)).status).toBe(404);
});

test("a chat that was archived by mistake gets its old place back", async ({ page, api }) => {
  const first = await createAnswered(api, "write 3 words for the first place");
  const second = await createAnswered(api, "write 3 words for the second place");
  await api.request(`PATCH /chats/${first}`, { title: "The older one" });
  await page.goto("/settings/account");
  const { chatList } = chatPage(page);
  const places = async (): Promise<string[]> => {
    const hrefs = await chatList
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    return hrefs.filter((href) => href.endsWith(first) || href.endsWith(second));
  };
  await expect.poll(places).toEqual([`/chats/${second}`, `/chats/${first}`]);
  await selectAction(page, "The older one", "Archive");
  await expect.poll(places).toEqual([`/chats/${second}`]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(places).toEqual([`/chats/${second}`, `/chats/${first}`]);
});

test("what is sent and changed while the server is away takes place once, when it is back", async ({
  page,
  api,
  server,
}) => {
  const { startChat, answers, message, userMessages, sendMessage, chatList } = chatPage(page);
  const id = await startChat("Before the outage");
  await expect(answers).toHaveCount(1);
  await expect(page.getByRole("link", { name: /Working/ })).toHaveCount(0);
  // Its part of the page is loaded when it is opened first.
  await selectAction(page, "Before the outage", "Rename");
  await page.keyboard.press("Escape");

  await server.kill();
  await expect(page.getByText("Offline. This page may be out of date.")).toBeVisible();
  await selectAction(page, "Before the outage", "Rename");
  await page.keyboard.type("Renamed in the outage");
  await page.keyboard.press("Enter");
  await sendMessage("During the outage");
  await expect(
    page.getByText("Offline. Your change is sent when the server answers."),
  ).toBeVisible();
  // Nothing is lost, and nothing has failed yet.
  await expect(message).toHaveValue("During the outage");
  await expect(page.getByText(/The server cannot be reached/)).toHaveCount(0);

  await server.start();
  await expect(answers).toHaveCount(2);
  await expect(message).toHaveValue("");
  await expect(userMessages.filter({ hasText: "During the outage" })).toHaveCount(1);
  await expect(page.getByText(/^Offline/)).toHaveCount(0);
  await expect(chatList.getByRole("link", { name: /Renamed in the outage/ })).toBeVisible();
  expect((await api.waitForStatus(id)).title).toBe("Renamed in the outage");
});

test("a message that is changed while the server is away is not sent as it was", async ({
  page,
  server,
}) => {
  const { startChat, answers, message, userMessages, sendMessage, send } = chatPage(page);
  await startChat("Before the outage");
  await expect(answers).toHaveCount(1);
  await server.kill();
  await sendMessage("A first thought");
  await expect(message).toHaveValue("A first thought");
  await message.fill("A better one");

  await server.start();
  await expect(page.getByText(/^Offline/)).toHaveCount(0);
  await send.click();
  await expect(answers).toHaveCount(2);
  await expect(userMessages).toHaveCount(2);
  await expect(userMessages.last()).toContainText("A better one");
});

test("a message whose answer was lost on the way is sent once", async ({ page, api }) => {
  const { startChat, answers, message, userMessages, sendMessage } = chatPage(page);
  const id = await startChat("Before the outage");
  await expect(answers).toHaveCount(1);
  let attempts = 0;
  // It may be sent together with another command.
  await page.route(/\/api\/trpc\/[^?]*messages\.send/, async (route) => {
    attempts += 1;
    if (attempts > 1) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await sendMessage("Only once");
  await expect.poll(() => attempts).toBe(2);
  await expect(answers).toHaveCount(2);
  await expect(message).toHaveValue("");
  await api.waitForStatus(id);
  await expect(userMessages.filter({ hasText: "Only once" })).toHaveCount(1);
});

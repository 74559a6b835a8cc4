import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";

const PAGE_WAITS = "Offline. The page opens when the server answers.";

test("a page that is chosen while the server is away opens when it is back", async ({
  page,
  api,
  server,
}) => {
  const other = await api.createChat({ content: "write 3 words" });
  await api.waitForStatus(other.id);
  await api.request(`PATCH /chats/${other.id}`, { title: "The other chat" });
  const { startChat, answers, chatList, log } = chatPage(page);
  const shown = await startChat("Before the outage");
  await expect(answers).toHaveCount(1);
  const waits = page.getByText(PAGE_WAITS);

  await server.kill();
  await chatList.getByRole("link", { name: /The other chat/ }).click();
  await expect(waits).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/chats/${shown}$`));
  await expect(log.getByText("Before the outage").first()).toBeVisible();

  await server.start();
  await expect(page).toHaveURL(new RegExp(`/chats/${other.id}$`));
  await expect(log.getByText("write 3 words").first()).toBeVisible();
  await expect(waits).toHaveCount(0);
});

test("a settings page stays in the app while the server is away: Back gives up a page, and the last click counts", async ({
  page,
  server,
}) => {
  const settings = page.getByRole("navigation", { name: "Settings" });
  const account = page.getByRole("heading", { name: "Account", level: 1 });
  const appearance = page.getByRole("heading", { name: "Appearance", level: 1 });
  const waits = page.getByText(PAGE_WAITS);
  await page.goto("/settings/account");
  await expect(account).toBeVisible();
  await settings.getByRole("link", { name: "Appearance" }).click();
  await expect(appearance).toBeVisible();

  await server.kill();
  await settings.getByRole("link", { name: "Tools" }).click();
  await expect(waits).toBeVisible();
  await page.goBack();
  await expect(account).toBeVisible();
  await expect(waits).toHaveCount(0);

  await settings.getByRole("link", { name: "Tools" }).click();
  await expect(waits).toBeVisible();
  await page.getByRole("link", { name: "New chat" }).click();
  await settings.getByRole("link", { name: "Appearance" }).click();
  await expect(account).toBeVisible();

  await server.start();
  await expect(appearance).toBeVisible();
  await expect(page.getByText(/^Offline/)).toHaveCount(0);
});

test("a search says that it could not be made, and is made when the server is back", async ({
  page,
  api,
  server,
}) => {
  const { id } = await api.createChat({ content: "write 3 words about the okapi" });
  await api.waitForStatus(id);
  const { openChat, chatList, answers } = chatPage(page);
  await openChat(id);
  await expect(answers).toHaveCount(1);
  await expect(chatList.getByRole("link").first()).toBeVisible();
  const search = page.getByRole("textbox", { name: "Search chats" });

  await server.kill();
  let attempts = 0;
  const { promise: looked, resolve: look } = Promise.withResolvers<undefined>();
  await page.route(/okapi/, async (route) => {
    attempts += 1;
    if (attempts > 1) await looked;
    await route.continue();
  });
  await search.fill("okapi");
  const failure = chatList.getByText("Could not search for “okapi”");
  // Also while the search is repeated, no other chats are shown as its results.
  await expect.poll(() => attempts).toBe(2);
  await expect(chatList.getByRole("link")).toHaveCount(0);
  look(undefined);
  await expect(failure).toBeVisible();
  await search.fill("");
  // The list was loaded before.
  await expect(chatList.getByRole("link").first()).toBeVisible();
  await search.fill("okapi");

  await server.start();
  const results = chatList.getByRole("group", { name: "Results" });
  await expect(results.locator(`a[href^="/chats/${id}"]`)).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test("a menu that is opened for the first time while the server is away opens when it is back", async ({
  page,
  server,
}) => {
  const { startChat, answers } = chatPage(page);
  await startChat("Before the outage");
  await expect(answers).toHaveCount(1);

  await server.kill();
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith(".js"));
  await page.getByRole("button", { name: /^Account: / }).click();
  await failed;

  await server.start();
  await expect(page.getByRole("menuitem", { name: "Settings" })).toBeVisible();
});

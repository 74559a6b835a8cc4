import type { Browser, Page, TestInfo } from "@playwright/test";
import type { AdvisorConfig } from "@/contract/advisor";
import type { Api } from "./api";
import { expect, test } from "./fixtures";
import { makeChild } from "./make-child";
import { createServerOfOwn, type Server } from "./server";

const ON: AdvisorConfig = {
  enabled: true,
  max_uses_per_run: 3,
  max_output_tokens: 0,
  model_id: null,
};

const NOBODY = { cookies: [], origins: [] };

/** Slow enough to be seen at work, also on a busy machine. */
const QUESTION = "slow 60ms whether to cache the tide table";

const configure = async (api: Api, config: AdvisorConfig): Promise<void> => {
  const { status } = await api.request("PUT /config/advisor", config);
  expect(status).toBe(200);
};

const parts = (page: Page) => {
  const log = page.getByRole("log", { name: "Messages" });
  return {
    log,
    message: page.getByRole("textbox", { name: "Message" }),
    cards: log.getByRole("button", { name: /^Advisor/ }),
    advice: log.getByRole("group", { name: "Advice", exact: true }),
    answers: log.getByRole("article", { name: "Assistant" }),
  };
};

const say = async (page: Page, text: string): Promise<void> => {
  const { message } = parts(page);
  await message.fill(text);
  await message.press("Enter");
};

const start = async (page: Page, text: string): Promise<void> => {
  await page.goto("/");
  await say(page, text);
  await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
};

/** Kept with the results of the run. */
const keepShot = async (page: Page, info: TestInfo, name: string): Promise<void> => {
  await page.screenshot({ path: info.outputPath(`${name}.png`) });
};

/** Everything that the page complains of. */
const complaints = (page: Page): string[] => {
  const found: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") found.push(message.text());
  });
  page.on("pageerror", (error) => found.push(String(error)));
  return found;
};

test("turned on in the settings, the advisor is asked, read and followed", async ({
  page,
  api,
}, info) => {
  await configure(api, { ...ON, enabled: false });
  const found = complaints(page);
  await page.goto("/");
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await page.getByRole("switch", { name: "Offer the advisor" }).click();
  await keepShot(page, info, "settings");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("switch", { name: "Offer the advisor" })).toBeChecked();

  const { cards, advice, answers, message, log } = parts(page);
  await page.getByRole("link", { name: "New chat" }).click();
  await message.fill(`advise ${QUESTION}`);
  await keepShot(page, info, "prompt");
  await message.press("Enter");
  await expect(cards).toContainText("Consulting");
  await expect(log.getByText("Answering…")).toBeVisible();
  await expect(log.getByRole("group", { name: "Advice so far" })).toContainText("Strategy.");
  await keepShot(page, info, "running");
  await expect(cards).toContainText("Guidance ready", { timeout: 20_000 });
  await expect(cards).toHaveAttribute("aria-expanded", "true");
  await expect(log.getByText(QUESTION, { exact: true })).toHaveCount(1);
  await expect(advice).toContainText("Take the smallest step that can be checked");
  await expect(log.getByText(/^Advisor model: demo\//)).toBeVisible();
  await expect(log.getByText("Remaining uses: 2")).toBeVisible();
  await expect(answers.last()).toContainText("The tool has answered", { timeout: 20_000 });
  await expect(answers.last()).toContainText("I am the demo model.", { timeout: 20_000 });
  await keepShot(page, info, "answered");

  await page.getByRole("button", { name: /^Context/ }).click();
  await expect(page.getByRole("dialog", { name: "Context and usage" })).toContainText(
    "Advisor",
  );
  await keepShot(page, info, "usage");
  await page.reload();
  await expect(cards).toContainText("Guidance ready");
  await expect(advice).toContainText("Take the smallest step that can be checked");
  expect(found).toEqual([]);
});

test("turned off, it is not there; turned on again, the next turn has it", async ({
  page,
  api,
}, info) => {
  await configure(api, { ...ON, enabled: false });
  const { cards, answers } = parts(page);
  await start(page, "advise whether to cache the tide table");
  await expect(answers.last()).toContainText("The advisor is not available in this chat");
  await expect(cards).toHaveCount(0);
  await keepShot(page, info, "off");
  await configure(api, ON);
  await say(page, "advise whether to cache the tide table");
  await expect(cards).toContainText("Guidance ready");
  await configure(api, { ...ON, enabled: false });
  await say(page, "advise me once more");
  await expect(answers.last()).toContainText("The advisor is not available in this chat");
  await expect(cards).toHaveCount(1);
});

/** The same question in a root chat and in its child. */
const askInBoth = async (server: Server, browser: Browser, info: TestInfo): Promise<void> => {
  const { api, database, owner, url } = server;
  await configure(api, ON);
  const [parent, child] = await Promise.all(
    ["Hello", "Hello too"].map((content) => api.createChat({ content })),
  );
  if (!parent || !child) throw new Error("there are no chats");
  for (const { id } of [parent, child]) await api.rests(id, 20_000);
  await server.kill();
  await makeChild(database, { childId: child.id, parentId: parent.id });
  await server.start();
  for (const { id } of [parent, child]) {
    await api.send(id, "advise me");
    await api.rests(id, 20_000, ["waiting"]);
  }

  const context = await browser.newContext({ baseURL: url, storageState: NOBODY });
  const page = await context.newPage();
  const { cards, answers } = parts(page);
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Email" }).fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${url}/`);
  await page.goto(`/chats/${parent.id}`);
  await expect(cards).toContainText("Guidance ready");
  await page.goto(`/chats/${child.id}`);
  await expect(answers.last()).toContainText("The advisor is not available in this chat");
  await expect(cards).toHaveCount(0);
  await keepShot(page, info, "child");
  await context.close();
};

test("a chat that another has spawned has no advisor", async ({ browser }, info) => {
  test.setTimeout(180_000);
  const server = await createServerOfOwn();
  try {
    await server.start();
    await askInBoth(server, browser, info);
  } finally {
    await server.remove();
  }
});

test("a used up limit and a failed request are told in their cards, and the turn goes on", async ({
  page,
  api,
}, info) => {
  await configure(api, { ...ON, max_uses_per_run: 1 });
  const { cards, log, answers } = parts(page);
  await start(page, 'advise me first then use advisor with {"question":"And what else?"}');
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText("Guidance ready");
  await expect(log.getByText("Remaining uses: 0")).toBeVisible();
  await expect(cards.last()).toContainText("Limit reached");
  await expect(log.getByRole("status").filter({ hasText: "Advisor limit reached" })).toBeVisible();
  await expect(answers.last()).toContainText("The tool has answered");
  await keepShot(page, info, "limit");

  await start(page, "advise fail 401");
  await expect(cards).toContainText("Request failed");
  await expect(log.getByRole("alert")).toContainText("The advisor could not be asked");
  await expect(log.getByText("Remaining uses: 1")).toBeVisible();
  await expect(answers.last()).toContainText("The tool has answered");
  await keepShot(page, info, "failed");
});

test("the cards around it are as they were, and nothing complains", async ({ page, api }, info) => {
  await configure(api, ON);
  const found = complaints(page);
  const { cards, advice, log, answers } = parts(page);
  await start(page, 'use write_file with {"path":"tide.txt","content":"high at six"}');
  const written = log.getByRole("button", { name: /^Write file/ });
  await expect(written).toContainText("Done");
  await say(page, "advise whether to keep this file");
  await expect(cards).toContainText("Guidance ready");
  await say(page, 'use read_file with {"path":"tide.txt"}');
  const read = log.getByRole("button", { name: /^Read file/ });
  await expect(read).toContainText("Done");
  await expect(answers.last()).toContainText("I am the demo model.");

  await expect(read).toHaveAttribute("aria-expanded", "false");
  await read.click();
  await expect(log.getByRole("group", { name: "Output" })).toContainText("high at six");
  await read.click();
  await expect(log.getByRole("group", { name: "Output" })).toHaveCount(0);
  await cards.focus();
  await page.keyboard.press("Enter");
  await expect(cards).toHaveAttribute("aria-expanded", "false");
  await expect(advice).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(advice).toBeVisible();
  await expect(written).toContainText("Done");
  await keepShot(page, info, "neighbours");
  expect(found).toEqual([]);
});

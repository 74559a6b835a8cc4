import type { Page, TestInfo } from "@playwright/test";
import type { AdvisorConfig } from "@/contract/advisor";
import type { Api } from "./api";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { setParentChat } from "./set-parent-chat";

const ENABLED_CONFIG: AdvisorConfig = {
  enabled: true,
  max_uses_per_run: 3,
  max_output_tokens: 0,
  model_id: null,
};

/** Slow enough to observe the running state, also on slow machines. */
const QUESTION = "slow 60ms whether to cache the tide table";

const saveConfig = async (api: Api, config: AdvisorConfig): Promise<void> => {
  const { status } = await api.request("PUT /config/advisor", config);
  expect(status).toBe(200);
};

test.afterEach(({ api }) => saveConfig(api, { ...ENABLED_CONFIG, enabled: false }));

const advisorPage = (page: Page) => {
  const log = page.getByRole("log", { name: "Messages" });
  return {
    log,
    message: page.getByRole("textbox", { name: "Message" }),
    cards: log.getByRole("button", { name: /^Advisor/ }),
    advice: log.getByRole("group", { name: "Advice", exact: true }),
    answers: log.getByRole("article", { name: "Assistant" }),
    openWork: chatPage(page).openWork,
  };
};

const sendMessage = async (page: Page, text: string): Promise<void> => {
  const { message } = advisorPage(page);
  await message.fill(text);
  await message.press("Enter");
};

const startChat = async (page: Page, text: string): Promise<void> => {
  await page.goto("/");
  await sendMessage(page, text);
  await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
};

/** Saves a screenshot with the results of the test run. */
const saveScreenshot = async (page: Page, info: TestInfo, name: string): Promise<void> => {
  await page.screenshot({ path: info.outputPath(`${name}.png`) });
};

/** Collects console errors and uncaught exceptions of a page. */
const collectPageErrors = (page: Page): string[] => {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
};

test("the advisor can be turned on in the settings and advises a turn", async ({
  page,
  api,
}, info) => {
  await saveConfig(api, { ...ENABLED_CONFIG, enabled: false });
  const errors = collectPageErrors(page);
  await page.goto("/");
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Advisor" }).click();
  await page.getByRole("switch", { name: "Offer the advisor" }).click();
  await saveScreenshot(page, info, "settings");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("switch", { name: "Offer the advisor" })).toBeChecked();

  const { cards, advice, answers, message, log, openWork } = advisorPage(page);
  await page.getByRole("link", { name: "New chat" }).click();
  await message.fill(`advise ${QUESTION}`);
  await saveScreenshot(page, info, "prompt");
  await message.press("Enter");
  // Together, as the advice is there for a few seconds only.
  await Promise.all([
    expect(cards).toContainText("Consulting"),
    expect(log.getByText("Answering…")).toBeVisible(),
    expect(log.getByRole("group", { name: "Advice so far" })).toContainText("Strategy."),
  ]);
  await saveScreenshot(page, info, "running");
  await expect(cards).toContainText("Guidance ready");
  await expect(cards).toHaveAttribute("aria-expanded", "true");
  await expect(log.getByText(QUESTION, { exact: true })).toHaveCount(1);
  await expect(advice).toContainText("Take the smallest step that can be checked");
  await expect(log.getByText(/^Advisor model: demo\//)).toBeVisible();
  await expect(log.getByText("Remaining uses: 2")).toBeVisible();
  await expect(answers.last()).toContainText("The tool has answered");
  await expect(answers.last()).toContainText("I am the demo model.");
  await saveScreenshot(page, info, "answered");

  await page.getByRole("button", { name: /^Context/ }).click();
  await expect(page.getByRole("dialog", { name: "Context and usage" })).toContainText("Advisor");
  await saveScreenshot(page, info, "usage");
  await page.reload();
  await openWork();
  await expect(cards).toContainText("Guidance ready");
  await expect(advice).toContainText("Take the smallest step that can be checked");
  expect(errors).toEqual([]);
});

test("turning the advisor off or on applies to the next turn", async ({ page, api }, info) => {
  await saveConfig(api, { ...ENABLED_CONFIG, enabled: false });
  const { cards, answers } = advisorPage(page);
  await startChat(page, "advise whether to cache the tide table");
  await expect(answers.last()).toContainText("which this chat is not offered");
  await expect(cards).toHaveCount(0);
  await saveScreenshot(page, info, "off");
  await saveConfig(api, ENABLED_CONFIG);
  await sendMessage(page, "advise whether to cache the tide table");
  await expect(cards).toContainText("Guidance ready");
  await saveConfig(api, { ...ENABLED_CONFIG, enabled: false });
  await sendMessage(page, "advise me once more");
  await expect(answers.last()).toContainText("which this chat is not offered");
  await expect(cards).toHaveCount(1);
});

test("a child chat has no advisor", async ({ page, api, server }, info) => {
  await saveConfig(api, ENABLED_CONFIG);
  const [parent, child] = await Promise.all(
    ["Hello", "Hello too"].map((content) => api.createChat({ content })),
  );
  if (!parent || !child) throw new Error("the chats are missing");
  for (const { id } of [parent, child]) await api.waitForStatus(id);
  await server.kill();
  await setParentChat(server.database, { childId: child.id, parentId: parent.id });
  await server.start();
  for (const { id } of [parent, child]) {
    await api.send(id, "advise me");
    await api.waitForStatus(id, ["waiting"]);
  }

  const { cards, answers, openWork } = advisorPage(page);
  await page.goto(`/chats/${parent.id}`);
  await openWork();
  await expect(cards).toContainText("Guidance ready");
  await page.goto(`/chats/${child.id}`);
  await expect(answers.last()).toContainText("which this chat is not offered");
  await expect(cards).toHaveCount(0);
  await saveScreenshot(page, info, "child");
});

test("a turn continues after the limit of the advisor or a failed request", async ({
  page,
  api,
}, info) => {
  await saveConfig(api, { ...ENABLED_CONFIG, max_uses_per_run: 1 });
  const { cards, log, answers } = advisorPage(page);
  await startChat(page, 'advise me first then use advisor with {"question":"And what else?"}');
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText("Guidance ready");
  await expect(log.getByText("Remaining uses: 0")).toBeVisible();
  await expect(cards.last()).toContainText("Limit reached");
  await expect(log.getByRole("status").filter({ hasText: "Advisor limit reached" })).toBeVisible();
  await expect(answers.last()).toContainText("The tool has answered");
  await saveScreenshot(page, info, "limit");

  await startChat(page, "advise fail 401");
  await expect(cards).toContainText("Request failed");
  await expect(log.getByRole("alert")).toContainText("The advisor could not be asked");
  await expect(log.getByText("Remaining uses: 1")).toBeVisible();
  await expect(answers.last()).toContainText("The tool has answered");
  await saveScreenshot(page, info, "failed");
});

test("the advisor does not change the cards of other tools", async ({ page, api }, info) => {
  await saveConfig(api, ENABLED_CONFIG);
  const errors = collectPageErrors(page);
  const { cards, advice, log, answers } = advisorPage(page);
  await startChat(page, 'use write_file with {"path":"tide.txt","content":"high at six"}');
  const written = log.getByRole("button", { name: /^Write file/ });
  await expect(written).toContainText("Done");
  await sendMessage(page, "advise whether to keep this file");
  await expect(cards).toContainText("Guidance ready");
  await sendMessage(page, 'use read_file with {"path":"tide.txt"}');
  const read = log.getByRole("button", { name: /^Read file/ });
  await expect(read).toContainText("Done");
  await expect(answers.last()).toContainText("I am the demo model.");

  await expect(read).toHaveAttribute("aria-expanded", "false");
  await read.click();
  await expect(log.getByRole("group", { name: "tide.txt" })).toContainText("high at six");
  await read.click();
  await expect(log.getByRole("group", { name: "tide.txt" })).toHaveCount(0);
  await cards.focus();
  await page.keyboard.press("Enter");
  await expect(cards).toHaveAttribute("aria-expanded", "false");
  await expect(advice).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(advice).toBeVisible();
  await expect(written).toContainText("Done");
  await saveScreenshot(page, info, "other-cards");
  expect(errors).toEqual([]);
});

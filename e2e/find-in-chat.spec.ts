import type { Page } from "@playwright/test";
import type { Api } from "./api";
import { expectAccessible } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";

/** With two messages each, more than the page of a chat has at first. */
const LATER_TURNS = 26;

const findBar = (page: Page) => {
  const bar = page.getByRole("search", { name: "Find in chat" });
  return {
    bar,
    field: bar.getByRole("textbox", { name: "Text to find" }),
    status: bar.getByRole("status"),
  };
};

const runTurn = async (api: Api, id: string, content: string): Promise<void> => {
  await api.send(id, content);
  await api.waitForStatus(id);
};

/** @returns the texts that are highlighted as the place that is shown. */
const readShown = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...(CSS.highlights.get("shown-match") ?? [])].map((range) => (range as Range).toString()),
  );

test("the search of a chat shows what is in old messages and in folded work", async ({
  page,
  api,
}) => {
  // Its first step says what it does before it makes a call.
  const { id } = await api.createChat({ content: "draw a chart of narwhals.csv" });
  await api.waitForStatus(id);
  for (let turn = 0; turn < LATER_TURNS; turn += 1) await runTurn(api, id, "write 2 words");
  const { openChat, log, message, workLines } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await message.fill("not sent");
  const said = log.getByText("First I look at what");
  await expect(said).toHaveCount(0);

  const { promise: loading, resolve: load } = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/**", async (route) => {
    await loading;
    await route.continue();
  });
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("first i LOO");
  load();
  const { bar, field, status } = findBar(page);
  await expect(field).toBeFocused();
  await page.keyboard.type("K");
  await expect(field).toHaveValue("first i LOOK");
  await expect(message).toHaveValue("not sent");
  await expect(status).toContainText("1 of 1: First I look at what narwhals.csv");
  await expect(said).toBeInViewport();
  await expect(workLines.first()).toHaveAttribute("aria-expanded", "true");
  await expect.poll(() => readShown(page)).toEqual(["First I look"]);
  await expect(field).toBeFocused();
  await expectAccessible(page);

  await field.fill("write 2 words");
  await expect(status).toContainText(`1 of ${LATER_TURNS}: write 2 words`);
  await field.press("Enter");
  await expect(status).toContainText(`2 of ${LATER_TURNS}`);
  await field.press("Shift+Enter");
  await field.press("Shift+Enter");
  await expect(status).toContainText(`${LATER_TURNS} of ${LATER_TURNS}`);
  await field.fill("quagga");
  await expect(status).toHaveText("No messages with “quagga”");
  await field.press("Escape");
  await expect(bar).toHaveCount(0);
  await expect(message).toBeFocused();
  expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
});

test("the palette has the search of the chat, which goes to the place in a long message and opens it", async ({
  page,
  api,
}) => {
  const { id } = await api.createChat({
    content: `write 3 words\n${"tide\n".repeat(80)}narwhal`,
  });
  await api.waitForStatus(id);
  await runTurn(api, id, "write 2 words");
  const { openChat, message, userMessages } = chatPage(page);
  await openChat(id);
  await waitForHydration(message);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("find in chat");
  await expect(page.getByRole("option", { name: "Find in chat" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(findBar(page).field).toBeFocused();
  await page.keyboard.type("narwhal");
  await expect(findBar(page).status).toContainText("1 of 1");
  await expect(userMessages.first().getByRole("button", { name: "Show less" })).toBeAttached();
  await expect
    .poll(() =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get("shown-match") ?? [];
        const { top, bottom } = (range as Range).getBoundingClientRect();
        const view = document.querySelector("[role=log]")?.getBoundingClientRect();
        return view !== undefined && top >= view.top && bottom <= view.bottom;
      }),
    )
    .toBe(true);
});

test("on a phone the menu of the chat has the search", async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { id } = await api.createChat({ content: "write 3 words" });
  await api.waitForStatus(id);
  await chatPage(page).openChat(id);
  const menu = page.getByRole("button", { name: "Actions for this chat" });
  await waitForHydration(menu);
  await menu.click();
  await page.getByRole("menuitem", { name: "Find in chat" }).click();
  const { bar, field, status } = findBar(page);
  await expect(field).toBeFocused();
  await field.fill("words");
  await expect(status).toContainText("1 of 1");
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await bar.getByRole("button", { name: "Close search" }).click();
  await expect(bar).toHaveCount(0);
});

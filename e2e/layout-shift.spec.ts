import type { Page } from "@playwright/test";
import type { Api } from "./api";
import { chatPage, MIXED_BATCH, ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForFrames } from "./page-rest";

/** Limit of the sum of all layout shifts while a turn runs; 0.1 counts as good for a whole page. */
const MAX_LAYOUT_SHIFT = 0.02;

const CODE = `\`\`\`ts
const depth: number = 4;
for (let i = 0; i < depth; i++) console.log(i);
\`\`\``;
const TABLE = "| Fruit | Weight |\n| --- | --- |\n| blood oranges | 12 kg |\n| lemons | 3 kg |";
const MARKDOWN = `slow 20ms think about this:\n\n${CODE}\n\n${TABLE}`;

type Attribution = { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
type LayoutShift = PerformanceEntry & { value: number; sources: Attribution[] };
type Shift = { value: number; sources: string[] };

/**
 * Begins to record layout shifts of the chat. The tests cause none by input, as messages are sent by the API. The list
 * of chats is not shown: a chat that begins to wait moves to its top on purpose.
 */
const recordShifts = async (page: Page): Promise<void> => {
  await page.addStyleTag({ content: "aside { visibility: hidden; }" });
  await page.evaluate(() => {
    const shifts: Shift[] = [];
    const describe = ({ node, previousRect: from, currentRect: to }: Attribution) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const rect = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].join(" ");
      return `${element?.outerHTML.slice(0, 160) ?? "?"} ${rect(from)} -> ${rect(to)}`;
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        shifts.push({
          value: entry.value,
          sources: entry.sources.map(describe),
        });
      }
    }).observe({ type: "layout-shift" });
    Object.assign(window, { shifts });
  });
};

/** Opens a chat that has an answer, and begins to record when its page is complete. @returns its id. */
const openRecordedChat = async (page: Page, api: Api): Promise<string> => {
  const { id } = await api.createChat({
    content: "write 40 words",
    dynamic_tools: [ORDER_TOOL],
  });
  await api.waitForStatus(id);
  const { openChat, answers } = chatPage(page);
  await openChat(id);
  await expect(answers).toHaveCount(1);
  await page.evaluate(() => document.fonts.ready);
  await recordShifts(page);
  return id;
};

/** A step with cards that start open, and what follows them. */
const OPEN_CARDS =
  'use todo_write with {"todos":[{"content":"Pack","status":"in_progress"},{"content":"Go","status":"pending"}]} and write_file with {"path":"a.txt","content":"hi"}';

/** Holds back the scripts that the page asks for from now on. */
const holdScripts = async (page: Page) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let held = 0;
  await page.route("**/*.js", async (route) => {
    held += 1;
    await released;
    await route.continue();
  });
  return { count: () => held, release };
};

const expectNoShifts = async (page: Page): Promise<void> => {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  console.log(`${test.info().titlePath.join(" > ")}: ${total.toFixed(4)}`);
  expect(total, JSON.stringify(shifts, null, 1)).toBeLessThan(MAX_LAYOUT_SHIFT);
};

for (const [device, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a desktop", { width: 1440, height: 900 }],
] as const) {
  test.describe(`on ${device}, nothing moves while`, () => {
    test.use({ viewport });

    test("an answer with reasoning, code and a table streams", async ({ page, api }) => {
      const { answers } = chatPage(page);
      const id = await openRecordedChat(page, api);
      await api.send(id, MARKDOWN);
      await expect(answers.last()).toContainText("after a restart.");
      await expect(answers.last().getByText("const", { exact: true })).toBeVisible();
      await expect(answers.last().getByRole("button", { name: "Copy answer" })).toBeVisible();
      await expectNoShifts(page);
    });

    test("tools run, a form is answered elsewhere and the answer follows", async ({
      page,
      api,
    }) => {
      const { answers, log } = chatPage(page);
      const id = await openRecordedChat(page, api);
      await api.send(id, MIXED_BATCH);
      await expect(log.getByRole("textbox", { name: "Days" })).toBeVisible();
      const { required_action: action } = await api.chat(id);
      await api.submit(
        id,
        (action?.tool_calls ?? []).map(({ tool_call_id }) => ({
          tool_call_id,
          output: { days: 3 },
        })),
      );
      await expect(answers.last()).toContainText("tools have answered");
      await expect(answers.last().getByRole("button", { name: "Copy answer" })).toBeVisible();
      await expectNoShifts(page);
    });

    test("the first cards load, after the answer to them", async ({ page, api }) => {
      const { answers, log } = chatPage(page);
      const id = await openRecordedChat(page, api);
      const { count, release } = await holdScripts(page);
      await api.send(id, OPEN_CARDS);
      await api.waitForStatus(id);
      // Some seconds later the cards would have placeholders.
      await expect.poll(count).toBeGreaterThan(0);
      release();
      await expect(
        log.getByRole("listitem").filter({ hasText: /^In progress: Pack/ }),
      ).toBeVisible();
      await expect(answers.last()).toContainText("tools have answered");
      await expect(answers.last().getByRole("button", { name: "Copy answer" })).toBeVisible();
      await waitForFrames(page);
      await expectNoShifts(page);
    });
  });
}

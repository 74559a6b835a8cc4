import type { Page } from "puppeteer-core";
import { ORDER_TOOL } from "../chat-page";
import { OPENING, translateTexts } from "../page-translator";
import { HANG_MS } from "../limits";
import { waitUntil } from "../wait-until";
import type { FirefoxCheck } from "./firefox-process";

/** An answer ends, a second message is sent, a form is answered, and a draft stays. */
export const checkTranslation: FirefoxCheck = async ({ server, openPage }) => {
  const { id } = await server.api.createChat({
    content: "write 30 words",
    dynamic_tools: [ORDER_TOOL],
  });
  await server.api.waitForStatus(id);
  const page = await openPage(`/chats/${id}`);
  const errors: unknown[] = [];
  page.on("pageerror", (error) => {
    if (!PROBE.test(String(error))) errors.push(error);
  });
  await page.waitForSelector("textarea");
  await page.evaluate(translateTexts, { kind: "replace" as const, opening: OPENING });
  await page.waitForSelector("article font");
  await send(page, "slow 5ms write 200 words");
  await waitForAnswers(page, 2);
  await send(page, 'use check_order with {"order":"A-17"}');
  // Labels are texts, so they are translated, too.
  const days = await page.waitForSelector(`::-p-aria([name="${OPENING}Days"][role="textbox"])`);
  await days?.type("2");
  await (await page.waitForSelector(`::-p-aria(${OPENING}Send answer)`))?.click();
  await waitForAnswers(page, 4);
  await page.type("textarea", "A draft");
  await send(page, " that is sent");
  await waitForAnswers(page, 5);
  const { messages } = await server.api.history(id);
  if (!JSON.stringify(messages).includes("A draft that is sent")) throw new Error("no draft");
  if (errors.length > 0) throw new Error("errors in the page", { cause: errors });
};

/** zod tries once whether a page may compile code; Firefox reports what the policy of ours forbids. */
const PROBE = /Content-Security-Policy.*eval/;

const send = async (page: Page, text: string): Promise<void> => {
  await page.type("textarea", text);
  await page.keyboard.press("Enter");
};

/** Until so many steps of the assistant are shown, and no turn runs. */
const waitForAnswers = async (page: Page, count: number): Promise<void> => {
  // The page's own policy refuses what `waitForFunction` evaluates.
  await waitUntil(`${count} answers are shown`, HANG_MS, async () => {
    const answers = await page.$$('article[aria-label="Assistant"]');
    const isRunning = (await page.$('button[aria-label="Stop"]')) !== null;
    return (answers.length === count && !isRunning) || undefined;
  });
};

import { HANG_MS } from "../limits";
import { waitUntil } from "../wait-until";
import type { FirefoxCheck } from "./firefox-process";

const TABS = 12;
/** One for all chats and two for single ones. */
const MAX_STREAMS = 3;

/** More tabs than a browser opens connections to a host, each with a chat that answers while it is looked at. */
export const checkManyTabs: FirefoxCheck = async ({ server, openPage, countStreams }) => {
  for (let tab = 0; tab < TABS; tab += 1) {
    const { id } = await server.api.createChat({ content: `write 2 words for tab ${tab}` });
    await server.api.waitForStatus(id);
    const page = await openPage(`/chats/${id}`);
    await page.waitForSelector('article[aria-label="Assistant"]');
    await page.type("textarea", "write 20 words");
    await page.keyboard.press("Enter");
    await waitUntil("an answer is shown", HANG_MS, async () => {
      const answers = await page.$$('article[aria-label="Assistant"]');
      return answers.length === 2 || undefined;
    });
  }
  await waitUntil("few streams are open", HANG_MS, () =>
    Promise.resolve(countStreams() <= MAX_STREAMS || undefined),
  );
};

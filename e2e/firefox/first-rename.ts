import type { ElementHandle, Page } from "puppeteer-core";
import { waitUntil } from "../wait-until";
import { HANG_MS } from "../limits";
import type { FirefoxCheck } from "./firefox-process";

/** By mouse and by keyboard, each as the first thing that is done in a page. */
export const checkFirstRename: FirefoxCheck = async ({ server, openPage }) => {
  for (const way of ["mouse", "keyboard"] as const) {
    const { id } = await server.api.createChat({ content: "write 2 words" });
    await server.api.waitForStatus(id);
    await server.api.request(`PATCH /chats/${id}`, { title: `To rename by ${way}` });
    const page = await openPage(`/chats/${id}`);
    const button = await page.waitForSelector(
      `::-p-aria([name="Actions for To rename by ${way}"][role="button"])`,
    );
    if (way === "mouse") await button?.click();
    else {
      await button?.focus();
      await page.keyboard.press("Enter");
    }
    const item = await page.waitForSelector('::-p-aria([name="Rename"][role="menuitem"])');
    if (way === "mouse") await item?.click();
    else await chooseByKeyboard(page, item);
    await page.waitForSelector('::-p-aria([name="Chat title"][role="textbox"])');
    await page.keyboard.type(`Renamed by ${way}`);
    await page.keyboard.press("Enter");
    await waitUntil("the chat has the name", HANG_MS, async () => {
      const { title } = await server.api.chat(id);
      return title === `Renamed by ${way}` || undefined;
    });
    const { messages } = await server.api.history(id);
    if (messages.length !== 2) throw new Error(`${messages.length} messages: the name was sent`);
  }
};

const MAX_STEPS = 6;

const chooseByKeyboard = async (page: Page, item: ElementHandle | null): Promise<void> => {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await item?.evaluate((node) => node === document.activeElement)) {
      await page.keyboard.press("Enter");
      return;
    }
    await page.keyboard.press("ArrowDown");
  }
  throw new Error("the item is not reached by the arrow keys");
};

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { type LoadRecord, MAX_LAYOUT_SHIFT, readLoad, recordLoads } from "./load-record";
import { describeValues, median, ROUNDS } from "./medians";
import { slowDown, waitUntilIdle } from "./slow-page";

/**
 * How much later a page may show its largest content than the sign-in page, which has one form: 1.8 seconds where that
 * takes 0.45.
 */
const MAX_PAINT_RATIO = 4;
/** Loads a page as a slow device without a cache does. */
const load = async (page: Page, path: string): Promise<LoadRecord> => {
  const session = await slowDown(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready);
  await waitUntilIdle(page);
  const found = await readLoad(page);
  await session.detach();
  return found;
};

/** Loads a page and the sign-in page by turns, so that the machine is as busy for both. */
const loadOften = async (page: Page, path: string, stranger: Page) => {
  const loads: LoadRecord[] = [];
  const signIns: LoadRecord[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    signIns.push(await load(stranger, "/login"));
    loads.push(await load(page, path));
  }
  return { loads, signIns };
};

const listPaints = (loads: readonly LoadRecord[]): number[] => loads.map(({ paintMs }) => paintMs);

for (const [device, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a desktop", { width: 1440, height: 900 }],
] as const) {
  test.describe(`on ${device} that is slow`, () => {
    test.use({ viewport });

    test("pages show their content soon, and do not move it", async ({
      page,
      browser,
      server,
      api,
    }) => {
      const text = await api.createChat({ content: "write 300 words" });
      const code = await api.createChat({ content: "```ts\nconst depth: number = 4;\n```" });
      for (const { id } of [text, code]) await api.waitForStatus(id);
      const stranger = await browser.newPage({
        baseURL: server.url,
        viewport,
        storageState: { cookies: [], origins: [] },
      });
      await recordLoads(stranger);
      await recordLoads(page);
      for (const path of ["/", `/chats/${text.id}`, `/chats/${code.id}`, "/settings/models"]) {
        const { loads, signIns } = await loadOften(page, path, stranger);
        for (const { shift, sources } of [...loads, ...signIns]) {
          expect(shift, sources.join("\n")).toBeLessThan(MAX_LAYOUT_SHIFT);
        }
        const [paints, references] = [listPaints(loads), listPaints(signIns)];
        console.log(
          `${path}: painted after ${describeValues(paints)} ms, the sign-in page after ${describeValues(references)} ms`,
        );
        expect(Math.min(...paints)).toBeGreaterThan(0);
        expect(median(paints)).toBeLessThan(MAX_PAINT_RATIO * median(references));
      }
      await stranger.close();
    });
  });
}

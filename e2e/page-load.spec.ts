import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { slowDown, waitUntilIdle } from "./slow-page";

const ROUNDS = 3;
/** Limit of the sum of all layout shifts of a load, in the median: the font may come late in a single one. */
const MAX_LAYOUT_SHIFT = 0.02;
/**
 * How much later a page may show its largest content than the sign-in page, which has one form: 1.8 seconds where that
 * takes 0.45.
 */
const MAX_PAINT_RATIO = 4;
const SETTLE_TIMEOUT_MS = 30_000;

type Load = { paintMs: number; shift: number; sources: string[] };

/** Records what a page of the browser context paints and moves, from its first byte on. */
const recordLoads = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node?: Node }[] };
    const load: Load = { paintMs: 0, shift: 0, sources: [] };
    Object.assign(window, { load });
    new PerformanceObserver((list) => {
      load.paintMs = list.getEntries().at(-1)?.startTime ?? load.paintMs;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        load.shift += value;
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          load.sources.push(`${value.toFixed(4)} ${element?.outerHTML.slice(0, 120) ?? "?"}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** Loads a page as a slow device without a cache does. */
const load = async (page: Page, path: string): Promise<Load> => {
  const session = await slowDown(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready);
  await waitUntilIdle(page);
  const found = await page.evaluate(() => (window as unknown as { load: Load }).load);
  await session.detach();
  return found;
};

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const loadOften = async (page: Page, path: string): Promise<Load> => {
  const loads: Load[] = [];
  for (let round = 0; round < ROUNDS; round++) loads.push(await load(page, path));
  const result = {
    paintMs: median(loads.map(({ paintMs }) => paintMs)),
    shift: median(loads.map(({ shift }) => shift)),
    sources: loads.flatMap(({ sources }) => sources),
  };
  console.log(
    `${path}: painted after ${Math.round(result.paintMs)} ms, moved ${result.shift.toFixed(4)}`,
  );
  return result;
};

for (const [device, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a desktop", { width: 1440, height: 900 }],
] as const) {
  test.describe(`on ${device} that is slow`, () => {
    test.use({ viewport });
    test.setTimeout(150_000);

    test("pages show their content soon, and do not move it", async ({
      page,
      browser,
      server,
      api,
    }) => {
      const text = await api.createChat({ content: "write 300 words" });
      const code = await api.createChat({ content: "```ts\nconst depth: number = 4;\n```" });
      for (const { id } of [text, code]) await api.waitForStatus(id, SETTLE_TIMEOUT_MS);
      const stranger = await browser.newPage({
        ...{ baseURL: server.url, viewport },
        storageState: { cookies: [], origins: [] },
      });
      await recordLoads(stranger);
      await recordLoads(page);
      const signIn = await loadOften(stranger, "/login");
      await stranger.close();
      for (const path of ["/", `/chats/${text.id}`, `/chats/${code.id}`, "/settings/models"]) {
        const { paintMs, shift, sources } = await loadOften(page, path);
        expect(shift, sources.join("\n")).toBeLessThan(MAX_LAYOUT_SHIFT);
        expect(paintMs).toBeGreaterThan(0);
        expect(paintMs).toBeLessThan(MAX_PAINT_RATIO * signIn.paintMs);
      }
      expect(signIn.shift, signIn.sources.join("\n")).toBeLessThan(MAX_LAYOUT_SHIFT);
    });
  });
}

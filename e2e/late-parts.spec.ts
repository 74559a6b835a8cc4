import type { BrowserContextOptions, Page, Request, Route } from "@playwright/test";
import type { Api } from "./api";
import { ORDER_TOOL } from "./chat-page";
import { expect, test } from "./fixtures";
import { MAX_LAYOUT_SHIFT, readLoad, recordLoads } from "./load-record";
import { followRequests, waitForFrames } from "./page-rest";
import { startSlowDocuments } from "./slow-documents";

const CODE = `\`\`\`ts
const depth: number = 4;
\`\`\`

| Fruit | Weight |
| --- | --- |
| lemons | 3 kg |`;

/** @returns the paths of a chat with code and a table, and of one with a long text and a form. */
const createChats = async (api: Api): Promise<string[]> => {
  const code = await api.createChat({ content: CODE });
  const form = await api.createChat({ content: "write 300 words", dynamic_tools: [ORDER_TOOL] });
  for (const { id } of [code, form]) await api.waitForStatus(id);
  await api.send(form.id, 'use check_order with {"order":"A-17"}');
  await api.waitForStatus(form.id, ["requires_action"]);
  return [code, form].map(({ id }) => `/chats/${id}`);
};

/** Holds requests back until they are released. */
const holdBack = async (page: Page, isHeld: (request: Request) => boolean) => {
  const held: Route[] = [];
  let isReleased = false;
  await page.route("**/*", async (route) => {
    if (isReleased || !isHeld(route.request())) await route.continue();
    else held.push(route);
  });
  return {
    count: () => held.length,
    /** Waits until the page has shown all that it can without what is held. */
    waitForRest: followRequests(page, (request) => !isReleased && isHeld(request)),
    release: async (): Promise<void> => {
      isReleased = true;
      await Promise.all(held.map((route) => route.continue()));
    },
  };
};

const isOfType =
  (...types: string[]) =>
  (request: Request): boolean =>
    types.includes(request.resourceType());

const expectStill = async (page: Page): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  await waitForFrames(page);
  const { shift, sources } = await readLoad(page);
  console.log(`${test.info().title}, ${page.url()}: moved ${shift.toFixed(4)}`);
  expect.soft(shift, [page.url(), ...sources].join("\n")).toBeLessThan(MAX_LAYOUT_SHIFT);
};

/** Loads a page that gets some parts only when it has shown all that it can without. @returns how many. */
const expectStillWithout = async (
  page: Page,
  path: string,
  isHeld: (request: Request) => boolean,
): Promise<number> => {
  await recordLoads(page);
  const { count, release, waitForRest } = await holdBack(page, isHeld);
  await page.goto(path, { waitUntil: "commit" });
  await waitForRest();
  await release();
  await waitForRest();
  await expectStill(page);
  return count();
};

const PARTS = [
  ["fonts", isOfType("font")],
  ["style sheets", isOfType("stylesheet")],
  ["scripts", isOfType("script")],
  ["images", isOfType("image")],
  ["answers of the API", isOfType("fetch", "xhr", "eventsource")],
] as const;

const DEVICES: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ["a desktop", { viewport: { width: 1440, height: 900 } }],
];

for (const [device, options] of DEVICES) {
  test.describe(`on ${device}, nothing moves when`, () => {
    test.use(options);
    const signedOut = { ...options, storageState: { cookies: [], origins: [] } };

    for (const [parts, isHeld] of PARTS) {
      test(`${parts} come late`, async ({ context, api, browser, server }) => {
        let count = 0;
        for (const path of ["/", ...(await createChats(api))]) {
          const tab = await context.newPage();
          count += await expectStillWithout(tab, path, isHeld);
          await tab.close();
        }
        const stranger = await browser.newPage({ ...signedOut, baseURL: server.url });
        count += await expectStillWithout(stranger, "/login", isHeld);
        await stranger.close();
        expect(count).toBeGreaterThan(0);
      });
    }

    test("the document comes in parts", async ({ page, api, browser, server }) => {
      const chats = await createChats(api);
      const slow = await startSlowDocuments(server.url);
      try {
        await recordLoads(page);
        const waitForRest = followRequests(page, () => false);
        for (const path of ["/", ...chats, "/settings/models", "/nothing-here"]) {
          await page.goto(`${slow.url}${path}`);
          await waitForRest();
          await expectStill(page);
        }
        const stranger = await browser.newPage(signedOut);
        await recordLoads(stranger);
        await stranger.goto(`${slow.url}/login`);
        await expectStill(stranger);
        await stranger.close();
      } finally {
        slow.close();
      }
    });
  });
}

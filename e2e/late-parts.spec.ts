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

type Kind = { parts: string; isOfKind: (request: Request) => boolean };

const isOfType =
  (...types: string[]) =>
  (request: Request): boolean =>
    types.includes(request.resourceType());

/** What a page asks for, in the order in which it arrives. A later kind also waits when an earlier one asks for it. */
const KINDS: readonly Kind[] = [
  { parts: "style sheets", isOfKind: isOfType("stylesheet") },
  { parts: "scripts", isOfKind: isOfType("script") },
  { parts: "answers of the API", isOfKind: isOfType("fetch", "xhr", "eventsource") },
  { parts: "images", isOfKind: isOfType("image") },
  { parts: "fonts", isOfKind: isOfType("font") },
];

/** Holds requests back until their kind is released. */
const holdBack = async (page: Page) => {
  const held = new Map<Kind, Route[]>(KINDS.map((kind) => [kind, []]));
  const findHeld = (request: Request): Route[] | undefined =>
    [...held].find(([{ isOfKind }]) => isOfKind(request))?.[1];
  await page.route("**/*", async (route) => {
    const waiting = findHeld(route.request());
    if (waiting) waiting.push(route);
    else await route.continue();
  });
  return {
    /** Waits until the page has shown all that it can without what is held. */
    waitForRest: followRequests(page, (request) => findHeld(request) !== undefined),
    /** @returns how many requests of this kind were held. */
    release: async (kind: Kind): Promise<number> => {
      const waiting = held.get(kind) ?? [];
      held.delete(kind);
      await Promise.all(waiting.map((route) => route.continue()));
      return waiting.length;
    },
  };
};

const expectStill = async (page: Page, parts: string): Promise<void> => {
  const { shift, sources } = await readLoad(page);
  console.log(`${test.info().title}, ${page.url()}, ${parts}: moved ${shift.toFixed(4)}`);
  expect.soft(shift, [page.url(), parts, ...sources].join("\n")).toBeLessThan(MAX_LAYOUT_SHIFT);
};

const expectStillAtRest = async (page: Page): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  await waitForFrames(page);
  await expectStill(page, "at rest");
};

/** Loads a page that gets each kind of parts only when it has shown all that it can without. @returns the kinds that it had. */
const expectStillWithoutParts = async (page: Page, path: string): Promise<string[]> => {
  await recordLoads(page);
  const { release, waitForRest } = await holdBack(page);
  await page.goto(path, { waitUntil: "commit" });
  const kinds: string[] = [];
  for (const kind of KINDS) {
    await waitForRest();
    await expectStill(page, `before the ${kind.parts}`);
    if ((await release(kind)) > 0) kinds.push(kind.parts);
  }
  await waitForRest();
  await expectStillAtRest(page);
  return kinds;
};

const DEVICES: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ["a desktop", { viewport: { width: 1440, height: 900 } }],
];

test("what the server has rendered stays until its scripts are there, whatever changes meanwhile", async ({
  page,
  api,
}) => {
  const [path = ""] = await createChats(api);
  const held: (() => void)[] = [];
  await page.route(/\.js$/, async (route) => {
    const response = await route.fetch();
    // The part that draws code, and all of Markdown with it.
    if ((await response.text()).includes("data-code-block")) {
      await new Promise<void>((resolve) => held.push(resolve));
    }
    await route.fulfill({ response });
  });
  const hasList = page.waitForResponse(/chats\.list/);
  // A part that is asked for early holds back the end of the load.
  await page.goto(path, { waitUntil: "commit" });
  await hasList;
  // A new chat changes the list, and all that shows a part of it.
  const { title } = await api.createChat({ content: "Lemons of this year" });
  await expect(page.getByRole("link", { name: title })).toBeVisible();
  const answer = page.getByRole("article", { name: "Assistant" });
  await expect(answer.locator("strong", { hasText: "real model" })).toBeVisible();
  expect(held).toHaveLength(1);
  held.forEach((release) => release());
  await answer.hover();
  await answer.getByRole("button", { name: "Copy code" }).click();
  await expect(answer.getByRole("button", { name: "Copied" })).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

for (const [device, options] of DEVICES) {
  test.describe(`on ${device}, nothing moves when`, () => {
    test.use(options);
    const signedOut = { ...options, storageState: { cookies: [], origins: [] } };

    test("its parts come late, one kind after the other", async ({
      context,
      api,
      browser,
      server,
    }) => {
      const kinds = new Set<string>();
      const load = async (page: Page, path: string): Promise<void> => {
        for (const kind of await expectStillWithoutParts(page, path)) kinds.add(kind);
        await page.close();
      };
      for (const path of ["/", ...(await createChats(api))]) {
        await load(await context.newPage(), path);
      }
      await load(await browser.newPage({ ...signedOut, baseURL: server.url }), "/login");
      expect(kinds).toEqual(new Set(KINDS.map(({ parts }) => parts)));
    });

    test("the document comes in parts", async ({ page, api, browser, server }) => {
      const chats = await createChats(api);
      const slow = await startSlowDocuments(server.url);
      try {
        await recordLoads(page);
        const waitForRest = followRequests(page, () => false);
        for (const path of ["/", ...chats, "/settings/models", "/nothing-here"]) {
          await page.goto(`${slow.url}${path}`);
          await waitForRest();
          await expectStillAtRest(page);
        }
        const stranger = await browser.newPage(signedOut);
        await recordLoads(stranger);
        await stranger.goto(`${slow.url}/login`);
        await expectStillAtRest(stranger);
        await stranger.close();
      } finally {
        slow.close();
      }
    });
  });
}

import { expect, type Page, type Request } from "@playwright/test";

/** Streams stay open as long as their page, and the end of the request for a shared worker is not reported to it. */
const isEndless = (request: Request): boolean =>
  /\/(watch|stream)$|\/chats\.watch|\/turbopack-worker-/.test(new URL(request.url()).pathname);

/** Waits until the page has shown what it has. */
export const waitForFrames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => requestIdleCallback(resolve));
  });

/** Waits until the page has no task to do; also while it cannot draw, as a style sheet is missing. */
const waitForTasks = (page: Page): Promise<void> =>
  page.evaluate(() => scheduler.postTask(() => undefined, { priority: "background" }));

/**
 * Follows the requests of a page from now on.
 *
 * @param isHeld which ones are not answered for now.
 * @returns what waits until all others are answered, and the page has nothing to do and asks for nothing more.
 */
export const followRequests = (page: Page, isHeld: (request: Request) => boolean) => {
  const open = new Set<Request>();
  let started = 0;
  page.on("request", (request) => {
    if (isEndless(request)) return;
    open.add(request);
    started += 1;
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  const listOpen = (): string[] =>
    [...open].filter((request) => !isHeld(request)).map((request) => request.url());
  return async (): Promise<void> => {
    let seen: number;
    do {
      await expect.poll(listOpen).toEqual([]);
      seen = started;
      await waitForTasks(page);
    } while (seen !== started);
  };
};

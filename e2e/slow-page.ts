import type { CDPSession, Page } from "@playwright/test";

/** How much slower than this machine a cheap phone is. */
const SLOW_DOWN = 4;

/** Slows the scripts and the layout of a page down until the session ends. */
export const slowDown = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
  return session;
};

/** Waits until timers of the page have been on time for half a second: what is measured until then has its end. */
export const waitUntilIdle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let quiet = 0; quiet < 5;) {
      const start = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 100));
      quiet = performance.now() - start < 130 ? quiet + 1 : 0;
    }
  });

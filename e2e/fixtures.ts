import { type BrowserContext, test as base, type TestInfo } from "@playwright/test";
import type { Api } from "./api";
import { createServerOfOwn, type Server } from "./server";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

type WorkerFixtures = {
  /** The server of this worker, with its owner. */
  server: Server;
  /** The owner's session, which pages are in from the start. */
  session: Session;
};
type TestFixtures = {
  api: Api;
  /** A server that nobody has an account on yet. */
  newServer: Server;
  printsOnFailure: void;
};

/** What a failed test leaves is printed whole: a machine that ran it may be gone, and its files with it. */
const hasFailed = ({ status, expectedStatus }: TestInfo): boolean => status !== expectedStatus;

/** A page is signed in as the owner of a server that no other worker uses. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // Playwright reads from this pattern what a fixture needs: nothing.
    // eslint-disable-next-line no-empty-pattern -- see above
    async ({}, use) => {
      const server = await createServerOfOwn();
      await server.start();
      await use(server);
      await server.remove();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  session: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext({
        baseURL: server.url,
        extraHTTPHeaders: { origin: server.url },
      });
      const signedIn = await request.post("/api/auth/sign-in/email", { data: server.owner });
      if (!signedIn.ok()) throw new Error(`no session: ${await signedIn.text()}`);
      const session = await request.storageState();
      await request.dispose();
      await use(session);
    },
    { scope: "worker" },
  ],
  newServer: [
    // eslint-disable-next-line no-empty-pattern -- see above
    async ({}, use, testInfo) => {
      const server = await createServerOfOwn({ withOwner: false });
      await server.start();
      await use(server);
      if (hasFailed(testInfo)) console.log(`The new server printed:\n${server.output()}`);
      await server.remove();
    },
    { timeout: 120_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  storageState: async ({ session }, use) => use(session),
  page: async ({ page }, use, testInfo) => {
    await use(page);
    if (hasFailed(testInfo)) {
      console.log(`The page showed:\n${await page.locator("body").ariaSnapshot()}`);
    }
  },
  api: async ({ server }, use) => use(server.api),
  printsOnFailure: [
    async ({ server }, use, testInfo) => {
      const before = server.output().length;
      await use();
      if (hasFailed(testInfo)) console.log(`The server printed:\n${server.output().slice(before)}`);
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";

import { type BrowserContext, test as base, type TestInfo } from "@playwright/test";
import type { Api } from "./api";
import { createTestServer, type TestServer } from "./server";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

type WorkerFixtures = {
  /** The server of this Playwright worker. */
  server: TestServer;
  /** The session of the owner, in which pages start. */
  session: Session;
};
type TestFixtures = {
  api: Api;
  /** A server without an account. */
  newServer: TestServer;
  logOnFailure: void;
};

/** Failed tests print the page and the output of the server, because CI may discard their files. */
const hasFailed = ({ status, expectedStatus }: TestInfo): boolean => status !== expectedStatus;

/** Pages are signed in as the owner of a server that no other worker uses. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // Playwright derives the dependencies of a fixture from this pattern; this one has none.
    // eslint-disable-next-line no-empty-pattern -- see above
    async ({}, use) => {
      const server = await createTestServer();
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
      const response = await request.post("/api/auth/sign-in/email", { data: server.owner });
      if (!response.ok()) throw new Error(`no session: ${await response.text()}`);
      const session = await request.storageState();
      await request.dispose();
      await use(session);
    },
    { scope: "worker" },
  ],
  newServer: [
    // eslint-disable-next-line no-empty-pattern -- see above
    async ({}, use, testInfo) => {
      const server = await createTestServer({ withOwner: false });
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
  logOnFailure: [
    async ({ server }, use, testInfo) => {
      const before = server.output().length;
      await use();
      if (hasFailed(testInfo)) console.log(`The server printed:\n${server.output().slice(before)}`);
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";

import { type BrowserContext, test as base, type TestInfo } from "@playwright/test";
import { type Api, createApi } from "./api";
import { TEST_MS } from "./limits";
import { createTestServer, type TestServer } from "./server";
import { getUser } from "./templates";
import { createTestDatabase, TEST_DATABASE_URL } from "./test-database";
import type { Credentials } from "./users";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

type WorkerFixtures = {
  /** The server of this Playwright worker, and the number of its next test. */
  shared: { server: TestServer; nextNumber: () => number };
};
type TestFixtures = {
  /** Of the users of the server of this Playwright worker, the ones that this test has alone. */
  users: { owner: Credentials; member: Credentials };
  /** That server as this owner sees it. What all owners share, a test sets back. */
  server: TestServer;
  /** The session of the owner, in which pages start. */
  session: Session;
  api: Api;
  /** A server without an account. */
  newServer: TestServer;
  logOnFailure: void;
};

/** Failed tests print the page and the output of the server, because CI may discard their files. */
const hasFailed = ({ status, expectedStatus }: TestInfo): boolean => status !== expectedStatus;

/** Pages are signed in as the owner of the test, on a server that no other worker uses. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  shared: [
    // Playwright derives the dependencies of a fixture from this pattern; this one has none.
    // eslint-disable-next-line no-empty-pattern -- see above
    async ({}, use) => {
      const database = await createTestDatabase(TEST_DATABASE_URL, "users");
      const server = await createTestServer({ database });
      await server.start();
      let number = 0;
      await use({ server, nextNumber: () => (number += 1) });
      await server.remove();
    },
    { scope: "worker", timeout: TEST_MS },
  ],
  users: async ({ shared: { nextNumber } }, use) => {
    const number = nextNumber();
    await use({ owner: getUser("owner", number), member: getUser("member", number) });
  },
  server: async ({ shared: { server }, users }, use) => {
    const { apiKey, ...owner } = users.owner;
    await use({ ...server, owner, apiKey, api: createApi(server.url, apiKey) });
  },
  session: async ({ server, playwright }, use) => {
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
  newServer: [
    // eslint-disable-next-line no-empty-pattern -- see above
    async ({}, use, testInfo) => {
      const server = await createTestServer({ withOwner: false });
      await server.start();
      await use(server);
      if (hasFailed(testInfo)) console.log(`The new server printed:\n${server.output()}`);
      await server.remove();
    },
    { timeout: TEST_MS },
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
    async ({ shared: { server } }, use, testInfo) => {
      const before = server.output().length;
      await use();
      if (hasFailed(testInfo)) console.log(`The server printed:\n${server.output().slice(before)}`);
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";

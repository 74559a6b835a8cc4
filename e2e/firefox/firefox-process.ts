import { existsSync } from "node:fs";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { createTestServer, type TestServer } from "../server";
import { openStreamProxy } from "../stream-proxy";
import { checkFirstRename } from "./first-rename";
import { checkManyTabs } from "./many-tabs";
import { checkTranslation } from "./translation";

/** Where Debian puts it, and the variable that names another. */
const FIREFOX = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";

/** A name of this machine that is no secure context, as one of a local network. */
const LAN_HOST = "parley.test";

/** What a check gets. It throws when it fails. */
export type FirefoxCheck = (tools: {
  server: TestServer;
  /** Opens a signed-in page of the address. */
  openPage: (path: string) => Promise<Page>;
  /** How many streams of server-sent events are open. */
  countStreams: () => number;
}) => Promise<void>;

const CHECKS: Record<string, FirefoxCheck> = {
  "a chat is renamed as the first use of its menu": checkFirstRename,
  "the page works while it is translated": checkTranslation,
  "twelve tabs over plain http load and share their streams": checkManyTabs,
};

const signIn = async (browser: Browser, origin: string, { owner }: TestServer): Promise<void> => {
  const page = await browser.newPage();
  await page.goto(`${origin}/login`);
  await page.type("input[type=email]", owner.email);
  await page.type("input[type=password]", owner.password);
  await page.keyboard.press("Enter");
  await page.waitForSelector("textarea");
  if (await page.evaluate(() => window.isSecureContext)) throw new Error("a secure context");
  await page.close();
};

/** @returns how many checks have failed. */
const runChecks = async (): Promise<number> => {
  const server = await createTestServer({ settings: { PARLEY_ALLOWED_HOSTS: LAN_HOST } });
  await server.start();
  const proxy = await openStreamProxy(server.url);
  const origin = `http://${LAN_HOST}:${proxy.port}`;
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    extraPrefsFirefox: { "network.dns.localDomains": LAN_HOST },
  });
  let failures = 0;
  try {
    await signIn(browser, origin, server);
    for (const [name, check] of Object.entries(CHECKS)) {
      const pages: Page[] = [];
      const openPage = async (path: string): Promise<Page> => {
        const page = await browser.newPage();
        pages.push(page);
        await page.goto(`${origin}${path}`);
        return page;
      };
      const countStreams = () => proxy.streams.filter(({ isOpen }) => isOpen).length;
      try {
        await check({ server, openPage, countStreams });
        console.log(`✓ ${name}`);
      } catch (error) {
        failures += 1;
        console.error(`✗ ${name}`, error);
      }
      for (const page of pages) await page.close();
    }
  } finally {
    await browser.close();
    proxy.close();
    await server.remove();
  }
  console.log(`${Object.keys(CHECKS).length - failures} passed, ${failures} failed`);
  return failures;
};

if (existsSync(FIREFOX)) process.exitCode = (await runChecks()) > 0 ? 1 : 0;
else {
  console.error(`There is no ${FIREFOX}: install firefox-esr, or name a Firefox in FIREFOX_PATH.`);
  process.exitCode = 1;
}

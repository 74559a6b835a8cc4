import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./tooling/browser.ts";

const reportFile = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;
const database = process.env.TEST_DATABASE_URL ? "postgres" : "embedded";

/** What these test is the same with any database: once is enough. */
const WITHOUT_DATABASE = [
  "accessibility.spec.ts",
  "appearance.spec.ts",
  "compression.spec.ts",
  "docs.spec.ts",
  "late-parts.spec.ts",
  "layout-shift.spec.ts",
  "next-alone.spec.ts",
  "page-load.deep.spec.ts",
  "page-tasks.deep.spec.ts",
  "page-weight.spec.ts",
  "security/other-site.spec.ts",
  "security/schemas.spec.ts",
  "security/strangers.spec.ts",
  "slow-tasks.deep.spec.ts",
  "start.spec.ts",
  "storybook.spec.ts",
  "tabs.spec.ts",
];

/** What these test needs a database that several processes share. */
const NEEDS_POSTGRES = ["two-servers.spec.ts"];
const ignored = database === "postgres" ? WITHOUT_DATABASE : NEEDS_POSTGRES;

/** Another test at the same time would add its work to what these measure. */
const MEASURED = ["page-load.deep.spec.ts", "page-tasks.deep.spec.ts", "slow-tasks.deep.spec.ts"];

const toPatterns = (files: readonly string[]): string[] => files.map((file) => `**/${file}`);

const browser = devices["Desktop Chrome"];

// The fixtures start the production build themselves, one server with its own data per worker.
export default defineConfig({
  testDir: "e2e",
  // Apart, as a run empties its folder first.
  outputDir: `test-results/${database}`,
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 60_000,
  // The server, its database and the browsers of all workers may share two cores.
  expect: { timeout: 15_000 },
  reporter: [["list"], ...(reportFile ? [["json", { outputFile: reportFile }] as const] : [])],
  // No traces: they take a quarter of the run's time, and a failed test prints its page and its server's output.
  use: { launchOptions: launchOptions() },
  // `npm test` runs the second one after the first.
  projects: [
    {
      name: "chromium",
      testIgnore: toPatterns([...ignored, ...MEASURED]),
      use: browser,
    },
    {
      name: "measured",
      testMatch: toPatterns(MEASURED),
      testIgnore: toPatterns(ignored),
      workers: 1,
      use: browser,
    },
  ],
});

import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./tooling/browser.ts";

const isCi = Boolean(process.env.CI);
const reportFile = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

// The fixtures start the production build themselves, one server with its own data per worker.
export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  workers: 2,
  forbidOnly: isCi,
  retries: 0,
  timeout: 60_000,
  reporter: [
    ["list"],
    ...(isCi ? [["html", { open: "never" }] as const] : []),
    ...(reportFile ? [["json", { outputFile: reportFile }] as const] : []),
  ],
  use: { trace: "retain-on-failure", launchOptions: launchOptions() },
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
});

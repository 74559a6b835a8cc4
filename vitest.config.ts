import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { storybookTest } from "@storybook/addon-vitest/vitest-plugin";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { decodeStoryPaths } from "./.storybook/decode-story-paths.ts";
import { launchOptions } from "./tooling/browser.ts";
import { WITHOUT_POSTGRES } from "./tooling/without-postgres.ts";

const fromRoot = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** They measure times, take long, or repeat what is random: `npm run test:deep`. */
const DEEP_TESTS = "{src,tooling}/**/*.deep.test.ts";

const sameWithAny = process.env.TEST_DATABASE_URL ? Object.keys(WITHOUT_POSTGRES) : [];

/** Only what hangs takes longer, on a machine that is as busy as it may be. */
const HANGING_MS = 60_000;
/** Time for a wait that hangs to say so. */
const TEST_TIMEOUT_MS = 2 * HANGING_MS;

const inNode = {
  environment: "node",
  globalSetup: "./tooling/bundle-programs.ts",
  // The files of one worker share their modules, so one embedded database serves them all.
  isolate: false,
  hookTimeout: TEST_TIMEOUT_MS,
  testTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: HANGING_MS } },
} as const;

export default defineConfig({
  resolve: { alias: { "@": fromRoot("./src") } },
  test: {
    // Tests wait for processes and answers, so more of them than there are cores use these fully.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Whole values in the reason of a failure, which the summary of all tests repeats.
    chaiConfig: { truncateThreshold: 400 },
    projects: [
      {
        extends: true,
        test: {
          ...inNode,
          name: "unit",
          include: ["{src,tooling}/**/*.test.{ts,tsx}"],
          exclude: [DEEP_TESTS, ...sameWithAny],
        },
      },
      {
        extends: true,
        test: {
          ...inNode,
          name: "deep",
          include: [DEEP_TESTS],
          // Another test at the same time would add its work to what these measure, and one before them its heap.
          fileParallelism: false,
          isolate: true,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        // Found while a test runs, these would reload the page under it.
        optimizeDeps: {
          include: [
            "react",
            "react-dom",
            "react-dom/client",
            "react/jsx-runtime",
            "react/jsx-dev-runtime",
            "@base-ui/react/alert-dialog",
            "@base-ui/react/dialog",
            "@base-ui/react/menu",
            "@base-ui/react/popover",
            "@base-ui/react/tooltip",
            "@cfworker/json-schema",
            "@humanwhocodes/momoa",
            "@streamdown/cjk",
            "@streamdown/math",
            "@storybook/addon-docs",
            "anser",
            "bowser",
            "clsx",
            "lucide-react",
            "lru-cache",
            "partial-json",
            "react-error-boundary",
            "shiki/core",
            "shiki/engine/javascript",
            "shiki/langs",
            "shiki/themes/github-dark-default.mjs",
            "shiki/themes/github-light-high-contrast.mjs",
            "storybook/test",
            "use-stick-to-bottom",
            "virtua",
            "zod",
          ],
        },
        plugins: [storybookTest({ configDir: fromRoot("./.storybook") }), decodeStoryPaths()],
        test: {
          name: "storybook",
          // The files of one page share their modules, which saves a quarter of the time.
          isolate: false,
          // Only a test that hangs takes as long.
          testTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions: launchOptions() }),
            instances: [{ browser: "chromium" }],
            screenshotFailures: false,
          },
        },
      },
    ],
  },
});

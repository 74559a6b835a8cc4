import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";
import { DEEP_TEST_MS, HANG_MS, TEST_MS } from "./e2e/limits";
import { launchOptions } from "./tooling/browser.ts";

const reportFile = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;
const database = process.env.TEST_DATABASE_URL ? "postgres" : "embedded";

const TEST_DIR = "e2e";

type Journey = [file: string, title: string, reason: string];

/** What differs with PostgreSQL; all else runs once, with the embedded database. */
const POSTGRES_JOURNEYS: readonly Journey[] = [
  [
    "two-servers.spec.ts",
    "a chat with a session is worked on where that runs",
    "two processes share the database, and leases expire by themselves",
  ],
  [
    "notification-faults.spec.ts",
    "notifications that are lost, late, doubled or reordered",
    "a proxy changes what the server sends",
  ],
  [
    "crash.spec.ts",
    "nothing is lost, doubled or stuck in a crash",
    "a connection breaks within a transaction, and another process takes leases over",
  ],
  [
    "turn.spec.ts",
    "the page continues after the server is killed during an answer",
    "stored deltas and the stream after a restart",
  ],
  ["turn.spec.ts", "an answer continues to stream after a reload", "notifications of a turn"],
  ["turn.spec.ts", "messages are queued while a turn runs", "the queue is taken under row locks"],
  [
    "turn.spec.ts",
    "Stop with a queue pauses it, in every tab",
    "the pause is written beside the worker's commits, and notified to two streams",
  ],
  ["turn.spec.ts", "editing a message replaces it and all later ones", "deletes many rows at once"],
  ["open-chat.spec.ts", "the search finds a chat by a word", "the trigram index and its planner"],
  [
    "required-action.spec.ts",
    "two tabs show a result that is submitted by REST",
    "a parked call is answered by compare-and-set",
  ],
  ["agents.spec.ts", "Stop ends a wait and stops the agents", "locks of a family of chats"],
  [
    "agents.spec.ts",
    "three agents, a yes and two crashes",
    "agents, tasks and a parked call over restarts",
  ],
  ["tools.spec.ts", "a task reports while its chat rests", "tasks that end between turns"],
  [
    "tools.spec.ts",
    "the same by REST against a provider",
    "files and artifacts are stored in the database",
  ],
  ["security/deletion.spec.ts", "a deleted chat leaves nothing", "all tables are searched"],
  [
    "backup.spec.ts",
    "a backup of a server at work is restored into a new one",
    "a transaction sees one moment, and constraints are made again",
  ],
  ["security/sessions.spec.ts", "npm run owner:reset", "works beside a running server"],
  [
    "examples.spec.ts",
    "a runner that is killed at work says so of what it had begun, and goes on with the rest",
    "claims are resumed under row locks",
  ],
  [
    "examples.spec.ts",
    "a runner that stops gives back what may be run again, and ends what may not",
    "what is given back is notified to another program that waits",
  ],
  [
    "examples.spec.ts",
    "two programs answer a tool each of one step",
    "results of one step are stored at the same time",
  ],
  [
    "examples.spec.ts",
    "the bot answers each message once, although it is killed and cut off",
    "events are read in the order of transactions",
  ],
  [
    "first-hour.spec.ts",
    "on a phone",
    "the first start creates all tables; models and keys are stored",
  ],
];

/** What needs a database that several processes share. */
const NEEDS_POSTGRES = ["two-servers.spec.ts", "notification-faults.spec.ts"];

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** @returns a pattern for one journey. @throws {Error} if there is none. */
const toPattern = ([file, title]: Journey): RegExp => {
  const text = readFileSync(join(import.meta.dirname, TEST_DIR, file), "utf8");
  if (!text.includes(title))
    throw new Error(`playwright.config.ts: ${file} has no test "${title}"`);
  return new RegExp(`${escape(file)}.*${escape(title)}`);
};

const toGlobs = (files: readonly string[]): string[] => files.map((file) => `**/${file}`);

const DEEP = "**/*.deep.spec.ts";

const browser = devices["Desktop Chrome"];

// The fixtures start the production build themselves, one server with its own data per worker.
export default defineConfig({
  testDir: TEST_DIR,
  globalSetup: "./e2e/templates.ts",
  // Apart, as a run empties its folder first.
  outputDir: `test-results/${database}`,
  fullyParallel: true,
  // Pages wait for what they load most of the time, so that a third of them fits on two cores.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: TEST_MS,
  expect: { timeout: HANG_MS },
  reporter: [["list"], ...(reportFile ? [["json", { outputFile: reportFile }] as const] : [])],
  // No traces: they take a quarter of the run's time, and a failed test prints its page and its server's output.
  use: { launchOptions: launchOptions() },
  projects: [
    database === "postgres"
      ? { name: "chromium", testIgnore: DEEP, grep: POSTGRES_JOURNEYS.map(toPattern), use: browser }
      : { name: "chromium", testIgnore: [DEEP, ...toGlobs(NEEDS_POSTGRES)], use: browser },
    // What measures times, and what is slow and rare; alone, as others would add their work.
    { name: "deep", testMatch: DEEP, workers: 1, timeout: DEEP_TEST_MS, use: browser },
  ],
});

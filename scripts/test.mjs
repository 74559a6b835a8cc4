// npm test: runs the gate, all tests on both databases, the production build and the browser tests.
// Continues after a failure, so that one run shows all of them. The last line counts the tests.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { runProgram } from "./run-program.mjs";

const node = await ensureInstalled();
const reports = mkdtempSync(join(tmpdir(), "parley-test-"));
// Tests choose their own databases and must never use the one of the environment.
const isolated = { DATABASE_URL: undefined };
const embedded = { ...isolated, TEST_DATABASE_URL: undefined };

const prisma = ["node_modules/prisma/build/index.js", "generate"];
const withPostgres = "scripts/with-postgres.mjs";
const vitest = (project, report, selection = ["run"]) => [
  ...["node_modules/vitest/vitest.mjs", ...selection, "--project", project],
  ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
];
/** The test files that use the database of their worker; for the others it makes no difference. */
const USING_DATABASE = ["related", "src/test/database.ts", "--run"];
const playwright = ["node_modules/@playwright/test/cli.js", "test"];

const readReport = (report) => JSON.parse(readFileSync(report, "utf8"));

/** Counts a file that fails before its first test as one failure. */
const countVitest = (report) => {
  const { numPassedTests, numFailedTests, testResults } = readReport(report);
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length };
};

/** Counts a test that passes only when it is retried as a failure. */
const countPlaywright = (report) => {
  const { stats, errors } = readReport(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
};

const scripts = (...names) =>
  names.map((name) => ({ name, command: "npm", args: ["run", "--silent", name] }));

/** In order; a stage of several lanes runs them at the same time, as each uses one core. */
const stages = [
  { name: "generate", args: prisma },
  // The lint needs the types of the routes before the type check writes them.
  { name: "types of the routes", args: ["node_modules/next/dist/bin/next", "typegen"] },
  [scripts("lint"), scripts("rooms", "dead", "check:docs", "format:check", "typecheck")],
  {
    name: "unit tests, embedded database",
    args: (report) => vitest("unit", report),
    env: embedded,
    count: countVitest,
  },
  {
    name: "unit tests, PostgreSQL",
    args: (report) => [withPostgres, node, ...vitest("unit", report, USING_DATABASE)],
    count: countVitest,
  },
  {
    name: "stories in Chromium",
    args: (report) => vitest("storybook", report),
    env: embedded,
    count: countVitest,
  },
  { name: "build", args: ["scripts/build.mjs"] },
  { name: "benchmark smoke test", args: ["bench/run.mjs", "--smoke"] },
  {
    name: "browser tests, embedded database",
    args: playwright,
    env: embedded,
    count: countPlaywright,
  },
  {
    name: "browser tests, PostgreSQL",
    args: [withPostgres, node, ...playwright],
    count: countPlaywright,
  },
];

const runStage = async ({ name, command = node, args, env = isolated, count }) => {
  console.log(`\n━━ ${name}`);
  const report = join(reports, `${name}.json`);
  const started = Date.now();
  const code = await runProgram(command, typeof args === "function" ? args(report) : args, {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  const counted = { passed: 0, failed: 0 };
  try {
    if (count) Object.assign(counted, count(report));
  } catch (error) {
    console.error(`The tests wrote no report: ${error.message}`);
  }
  // A stage that fails without a failing test counts as one failure.
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  return { name, seconds: (Date.now() - started) / 1000, code, ...counted };
};

let interrupted = false;
process.on("SIGINT", () => (interrupted = true));
process.on("SIGTERM", () => (interrupted = true));

const runLane = async (lane) => {
  const results = [];
  for (const stage of lane) if (!interrupted) results.push(await runStage(stage));
  return results;
};

const results = [];
for (const stage of stages) {
  const lanes = Array.isArray(stage) ? stage : [[stage]];
  results.push(...(await Promise.all(lanes.map(runLane))).flat());
}
rmSync(reports, { recursive: true, force: true });

console.log();
for (const { name, seconds, code, passed, failed } of results) {
  const counts = passed + failed > 0 ? `  ${passed} passed, ${failed} failed` : "";
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds.toFixed(0)} s)${counts}`);
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(interrupted || results.some(({ code, failed }) => code !== 0 || failed > 0) ? 1 : 0);

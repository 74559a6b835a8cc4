// npm test: runs the gate, all tests on both databases, the production build and the browser tests.
// Continues after a failure, so that one run shows all of them. The last line counts the tests.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
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
  "node_modules/vitest/vitest.mjs",
  ...selection,
  "--project",
  project,
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
];
/** The test files that use the database of their worker; for the others it makes no difference. */
const USING_DATABASE = ["related", "src/test/database.ts", "--run"];
const playwright = (project) => [
  "node_modules/@playwright/test/cli.js",
  "test",
  `--project=${project}`,
];

/** Enough for the difference of two short values. */
const MAX_REASON_LINES = 30;

const readReport = (report) => JSON.parse(readFileSync(report, "utf8"));

/** A file that fails before its first test counts as one failure. */
const readVitest = (report) => {
  const { numPassedTests, testResults } = readReport(report);
  const failed = testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === "failed");
      const failures = tests.length > 0 ? tests : [{ fullName: "the file itself" }];
      return failures.map(({ fullName, failureMessages = [message] }) => ({
        title: `${relative(process.cwd(), name)} › ${fullName}`,
        reason: failureMessages.join("\n"),
      }));
    });
  return { passed: numPassedTests, failed };
};

const listSpecs = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(listSpecs)];

/** A test that passes only when it is repeated counts as a failure. */
const readPlaywright = (report) => {
  const { stats, errors, suites } = readReport(report);
  const failed = suites
    .flatMap(listSpecs)
    .filter(({ tests }) => tests.some(({ status }) => ["unexpected", "flaky"].includes(status)))
    .map(({ file, title, tests }) => ({
      title: `${file} › ${title}`,
      reason: tests
        .flatMap(({ results }) => results.flatMap(({ errors }) => errors))
        .map(({ message }) => message)
        .join("\n"),
    }));
  const broken = errors.map(({ message }) => ({ title: "before the tests", reason: message }));
  return { passed: stats.expected, failed: [...failed, ...broken] };
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
    read: readVitest,
  },
  {
    name: "unit tests, PostgreSQL",
    args: (report) => [withPostgres, node, ...vitest("unit", report, USING_DATABASE)],
    read: readVitest,
  },
  {
    name: "stories in Chromium",
    args: (report) => vitest("storybook", report),
    env: embedded,
    read: readVitest,
  },
  { name: "build", args: ["scripts/build.mjs"] },
  { name: "benchmark smoke test", args: ["bench/run.mjs", "--smoke"] },
  {
    name: "browser tests, embedded database",
    args: playwright("chromium"),
    env: embedded,
    read: readPlaywright,
  },
  {
    name: "browser tests that measure",
    args: playwright("measured"),
    env: embedded,
    read: readPlaywright,
  },
  {
    name: "browser tests, PostgreSQL",
    args: [withPostgres, node, ...playwright("chromium")],
    read: readPlaywright,
  },
];

const runStage = async ({ name, command = node, args, env = isolated, read }) => {
  console.log(`\n━━ ${name}`);
  const report = join(reports, `${name}.json`);
  const started = Date.now();
  const code = await runProgram(command, typeof args === "function" ? args(report) : args, {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  const counted = { passed: 0, failed: [] };
  try {
    if (read) Object.assign(counted, read(report));
  } catch (error) {
    console.error(`The tests wrote no report: ${error.message}`);
  }
  // A stage that fails without a failing test counts as one failure.
  if (code !== 0 && counted.failed.length === 0) {
    counted.failed.push({ title: "the stage itself", reason: "" });
  }
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
  const total = passed + failed.length;
  const counts = total > 0 ? `  ${passed} passed, ${failed.length} failed` : "";
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds.toFixed(0)} s)${counts}`);
  for (const { title, reason } of failed) {
    console.log(`    ✗ ${title}`);
    const lines = stripVTControlCharacters(reason).split("\n").slice(0, MAX_REASON_LINES);
    for (const line of lines) console.log(`        ${line}`);
  }
}
const passed = results.reduce((total, result) => total + result.passed, 0);
const failed = results.reduce((total, result) => total + result.failed.length, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(interrupted || failed > 0 ? 1 : 0);

// Runs stages and continues after a failure, so that one run shows all of them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runProgram } from "../run-program.mjs";

/** Enough for the difference of two short values. */
const MAX_REASON_LINES = 30;

/**
 * Runs a stage, or again one failure of it.
 *
 * @returns its results; a stage that fails without a failing test counts as one failure.
 */
export const runStage = async (stage, { node, failure }) => {
  const { name, command = node, args, env, read } = stage;
  const directory = mkdtempSync(join(tmpdir(), "parley-test-"));
  const report = join(directory, "report.json");
  const started = Date.now();
  const code = await runProgram(command, args({ node, report, failure }), {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  const counted = { passed: 0, failed: [] };
  try {
    if (read) Object.assign(counted, read(JSON.parse(readFileSync(report, "utf8"))));
  } catch (error) {
    console.error(`The tests wrote no report: ${error.message}`);
  }
  rmSync(directory, { recursive: true, force: true });
  if (code !== 0 && counted.failed.length === 0) {
    counted.failed.push({ title: "the stage itself", reason: "" });
  }
  return { name, seconds: (Date.now() - started) / 1000, code, ...counted };
};

const printResults = (results) => {
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
};

/**
 * Runs all stages and prints their results; the last line counts the tests. If the variable TEST_REPORT names a file,
 * writes them there as JSON: `passed`, and of each of `failed` its stage and how it can be repeated.
 *
 * @returns exit code.
 */
export const runStages = async (stages, node) => {
  let interrupted = false;
  process.on("SIGINT", () => (interrupted = true));
  process.on("SIGTERM", () => (interrupted = true));
  const results = [];
  const runLane = async (lane) => {
    for (const stage of lane) {
      if (interrupted) return;
      console.log(`\n━━ ${stage.name}`);
      results.push(await runStage(stage, { node }));
    }
  };
  for (const stage of stages) {
    await Promise.all((Array.isArray(stage) ? stage : [[stage]]).map(runLane));
  }
  printResults(results);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  const failed = results.flatMap(({ name, failed }) =>
    failed.map((failure) => ({ stage: name, ...failure })),
  );
  const { TEST_REPORT } = process.env;
  if (TEST_REPORT && !interrupted) writeFileSync(TEST_REPORT, JSON.stringify({ passed, failed }));
  console.log(`${passed} passed, ${failed.length} failed`);
  return interrupted || failed.length > 0 ? 1 : 0;
};

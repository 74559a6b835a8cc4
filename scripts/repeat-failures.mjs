// repeat-failures.mjs <report>: runs each failed test of a report of `npm test` again, alone, three times. One that passes
// each time is unsteady: it counts as passed, and is named above the last line, which counts the tests.
import { readFileSync } from "node:fs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { runStage } from "./testing/run-stages.mjs";
import { TEST_STAGES } from "./testing/stages.mjs";

const ROUNDS = 3;
/** So many failures are those of a change, not of tests that depend on how busy the machine is. */
const MAX_REPEATED = 20;

const node = await ensureInstalled();
const { passed, failed } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const stages = new Map(TEST_STAGES.flat(2).map((stage) => [stage.name, stage]));

const isUnsteady = async (failure) => {
  // A stage that is no test, such as the lint, fails again.
  if (failure.file === undefined) return false;
  for (let round = 1; round <= ROUNDS; round++) {
    console.log(`\n━━ again (${round} of ${ROUNDS}): ${failure.title}`);
    const result = await runStage(stages.get(failure.stage), { node, failure });
    if (result.passed === 0 || result.failed.length > 0) return false;
  }
  return true;
};

const unsteady = [];
if (failed.length <= MAX_REPEATED) {
  for (const failure of failed) if (await isUnsteady(failure)) unsteady.push(failure);
}
console.log();
for (const { title } of failed.filter((failure) => !unsteady.includes(failure))) {
  console.log(`failed: ${title}`);
}
for (const { title } of unsteady) console.log(`unsteady: ${title}`);
const failures = failed.length - unsteady.length;
console.log(`${passed + unsteady.length} passed, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);

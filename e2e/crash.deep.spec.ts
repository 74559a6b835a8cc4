import { test } from "@playwright/test";
import { expectWholeSummaries } from "./compaction-crashes";
import { expectNothingLost, OTHER_FAULTS } from "./crash-rounds";

/** `npm run chaos` runs more of them. */
const CRASHES = 6;
/** Crashes while a chat is summed up, at different times. */
const SUMMARIES = 25;
/** A round takes seconds, and half a minute where many programs share two cores. */
const ROUND_MS = 100_000;

for (const { title, faults, rounds } of [
  { title: `in ${CRASHES} crashes at random times`, faults: ["kill" as const], rounds: CRASHES },
  { title: `by ${OTHER_FAULTS.join(", ")}`, faults: OTHER_FAULTS, rounds: OTHER_FAULTS.length },
]) {
  test(`nothing is lost, doubled or stuck ${title}`, async () => {
    test.setTimeout(rounds * ROUND_MS);
    await expectNothingLost(faults, rounds);
  });
}

test("25 crashes leave no half of a summary", async () => {
  test.setTimeout(SUMMARIES * ROUND_MS);
  await expectWholeSummaries(SUMMARIES);
});

import { expect, test } from "@playwright/test";
import { type FaultName, listFaults } from "../chaos/faults";
import { runChaos } from "../chaos/run-chaos";
import { isEmbedded, TEST_DATABASE_URL } from "./test-database";

/** All faults but a crash. */
export const OTHER_FAULTS = listFaults(isEmbedded ? "embedded" : "postgres").filter(
  (fault) => fault !== "kill",
);

/** Lets faults happen by turns while clients act, and expects that nothing is lost, doubled or stuck. */
export const expectNothingLost = async (
  faults: readonly FaultName[],
  rounds: number,
): Promise<void> => {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
  console.log(`CHAOS_SEED=${seed}`);
  const options = { rounds, seed, faults, log: console.log, postgresUrl: TEST_DATABASE_URL };
  const report = await runChaos(options);
  if (report.findings.length > 0) await test.info().attach("server", { body: report.output });
  expect(report.findings).toEqual([]);
  // Without requests the faults would interrupt no work.
  expect(report.acknowledged).toBeGreaterThanOrEqual(rounds);
};

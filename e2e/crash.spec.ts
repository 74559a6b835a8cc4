import { expect, test } from "@playwright/test";
import { listFaults } from "../chaos/faults";
import { runChaos } from "../chaos/run-chaos";
import { createTestServer } from "./server";
import { isEmbedded, TEST_DATABASE_URL } from "./test-database";

/** Rounds in which the server is killed; `npm run chaos` runs more of them. */
const CRASHES = 6;
/** Turns settle a few seconds after a restart; the rest is for slow machines. */
const SETTLE_TIMEOUT_MS = 25_000;
/** Duration of the lease of a worker. */
const LEASE_MS = 30_000;

const database = isEmbedded ? "embedded" : "postgres";
const otherFaults = listFaults(database).filter((fault) => fault !== "kill");

for (const { title, faults, rounds } of [
  { title: `in ${CRASHES} crashes at random times`, faults: ["kill" as const], rounds: CRASHES },
  { title: `by ${otherFaults.join(", ")}`, faults: otherFaults, rounds: otherFaults.length },
]) {
  test(`nothing is lost, doubled or stuck ${title}`, async () => {
    // A round takes seconds, and half a minute where many programs share two cores.
    test.setTimeout(600_000);
    const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);
    console.log(`CHAOS_SEED=${seed}`);
    const report = await runChaos({
      rounds,
      seed,
      faults,
      log: console.log,
      postgresUrl: TEST_DATABASE_URL,
    });
    if (report.findings.length > 0) {
      await test.info().attach("server", { body: report.output });
    }
    expect(report.findings).toEqual([]);
    // Without requests the faults would interrupt no work.
    expect(report.acknowledged).toBeGreaterThan(4 * rounds);
  });
}

test("a turn continues by itself after a crash", async () => {
  test.setTimeout(120_000);
  const server = await createTestServer();
  try {
    await server.start();
    const { id } = await server.api.createChat({ content: "slow 100ms write 30 words" });
    await server.api.waitForStatus(id, SETTLE_TIMEOUT_MS, ["running"]);
    await server.kill();
    await server.start();
    // A single process takes over leases at its start; with PostgreSQL they have to expire.
    const chat = await server.api.waitForStatus(
      id,
      isEmbedded ? SETTLE_TIMEOUT_MS : LEASE_MS + SETTLE_TIMEOUT_MS,
    );
    expect(chat.status).toBe("waiting");
    const { messages } = await server.api.history(id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  } finally {
    await server.remove();
  }
});

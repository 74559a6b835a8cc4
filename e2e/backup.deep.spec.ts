import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import {
  createTarget,
  expectGoesOn,
  runScript,
  startLoad,
  startProgram,
  withBackups,
} from "./backup-rounds";
import { createTestServer } from "./server";

const ROUNDS = 5;
/** A backup of so little takes a second, and a restore some. */
const LATEST_KILL_MS = { backup: 1_500, restore: 6_000 };

test("a server, a backup and a restore that are killed leave nothing half", async () => {
  await withBackups(async (directory) => {
    for (let round = 1; round <= ROUNDS; round++) {
      const server = await createTestServer();
      const target = await createTarget(server);
      const file = join(directory, String(round));
      try {
        await server.start();
        const load = await startLoad(server.api);
        if (round === 1) await runScript("backup", [join(directory, "first")], server);

        const killed = startProgram("backup", [file, "--with-secret"], server);
        await pause(Math.random() * LATEST_KILL_MS.backup);
        killed.child.kill("SIGKILL");
        const [code] = await killed.ended;
        expect(existsSync(file)).toBe(code === 0);

        const backup = startProgram("backup", [file, "--with-secret", "--force"], server);
        await pause(Math.random() * LATEST_KILL_MS.backup);
        await server.kill();
        expect((await backup.ended)[0]).toBe(0);

        if (round === 1) {
          const other = await createTarget(server);
          await runScript("restore", [file], other);
          await other.remove();
        }
        const restore = startProgram("restore", [file], target);
        await pause(Math.random() * LATEST_KILL_MS.restore);
        restore.child.kill("SIGKILL");
        const hasEnded = (await restore.ended)[0] === 0;
        if (!hasEnded) await runScript("restore", [file], target);
        await expectGoesOn(target, load);
      } finally {
        await server.remove();
        await target.remove();
      }
    }
  });
});

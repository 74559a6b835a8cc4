import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { createEmpty, createMigrated, makeDirectory } from "@/test/backup-fixture";
import { openEmbedded } from "@/test/embedded-crash";
import { startProgram } from "@/test/start-program";
import { restoreBackup } from "./restore-backup";
import { writeBackup } from "./write-backup";

const ROUNDS = 6;
/** A copy of so little takes less. */
const LATEST_KILL_MS = 600;

it(`a backup has all that was committed before it, and no half, in ${ROUNDS} rounds beside a process that writes and is killed`, async () => {
  const { dataDir } = await createMigrated();
  const directory = makeDirectory();
  for (let round = 0; round < ROUNDS; round++) {
    const writer = await startProgram("embedded-writer", [dataDir, String(round)]);
    await writer.waitForLines(50 + 100 * round);
    const committed = writer.lines.length;
    const file = path.join(directory, String(round));
    const settings = { databaseUrl: null, dataDir, poolSize: 1 };
    const writing = writeBackup({
      file,
      settings,
      force: false,
      secret: undefined,
      now: new Date(),
    });
    await pause(Math.random() * LATEST_KILL_MS);
    if (round % 2 === 1) await writer.kill();
    await writing;
    await writer.kill();
    const target = await createEmpty();
    await restoreBackup({ file, settings: target, secret: null });
    const db = openEmbedded(target.dataDir);
    const rows = await db.prisma.setting.findMany({ select: { key: true } });
    await db.close();
    const count = (prefix: string) => rows.filter(({ key }) => key.startsWith(prefix)).length;
    expect(count("first-")).toBe(count("second-"));
    expect(count(`first-${round}-`)).toBeGreaterThanOrEqual(committed);
  }
});

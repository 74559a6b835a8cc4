import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { readAllRows } from "@/test/read-all-rows";
import {
  createTarget,
  expectGoesOn,
  runScript,
  startLoad,
  startProgram,
  withBackups,
} from "./backup-rounds";
import { createTestServer, type TestServer } from "./server";

/** What a server writes of itself by its readiness probe, and what says where a database was restored from. */
const OF_SERVER = /^\["(readiness_probe|restored_by)"/;

const readRows = async ({ env, database: { dataDir } }: TestServer) => {
  const rows = await readAllRows({ databaseUrl: env.DATABASE_URL ?? null, dataDir, poolSize: 1 });
  return { ...rows, setting: rows.setting?.filter((row) => !OF_SERVER.test(row)) };
};

test("a backup of a server at work is restored into a new one, which goes on", async () => {
  const server = await createTestServer();
  const [target, later] = [await createTarget(server), await createTarget(server)];
  try {
    await withBackups(async (directory) => {
      await server.start();
      const load = await startLoad(server.api);
      const [running, stopped] = [join(directory, "running"), join(directory, "stopped")];
      const { stdout } = await runScript("backup", [running, "--with-secret"], server);
      expect(stdout).toMatch(/running has 10 chats, .*It has the server's secret/s);
      await server.stop();
      expect(await startProgram("backup", [running], server).ended).toEqual([1, null]);
      expect(await startProgram("backup", [stopped, "--with-secret"], server).ended).toEqual([
        0,
        null,
      ]);

      const restored = await runScript("restore", [stopped], later);
      expect(restored.stdout).toMatch(/^Restored 10 chats and \d+ files of the data directory/);
      expect(await readRows(later)).toEqual(await readRows(server));

      expect(await startProgram("restore", [running], target).ended).toEqual([0, null]);
      await expectGoesOn(target, load);
    });
  } finally {
    for (const each of [server, target, later]) await each.remove();
  }
});

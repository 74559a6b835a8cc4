import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { handleReadyz } from "@/server/api/health";
import { createDatabaseProbe } from "@/server/app/database-probe";
import { log as processLog } from "@/server/log";
import { fillDataDirectory } from "@/test/database";
import { openEmbedded } from "@/test/embedded-crash";
import { damageFile, findTableFile } from "@/test/damage-fixture";

const COUNT = { name: "test-count-settings", text: "SELECT count(*)::int AS count FROM setting" };
const INSERT = {
  name: "test-insert-settings",
  text: "INSERT INTO setting (key, value) SELECT 'key-' || n, to_jsonb(repeat('x', 900)) FROM generate_series(1, 100) n",
};
const CHATS = { name: "test-count-chats", text: "SELECT count(*)::int AS count FROM chat" };
const CHECKPOINT = { name: "test-checkpoint", text: "CHECKPOINT" };

let dataDir: string;
let cluster: string;
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-damage-"));
  cluster = path.join(dataDir, "pg");
  await fillDataDirectory(dataDir);
  return () => {
    rmSync(dataDir, { recursive: true });
  };
});

/** @returns what the start of a server would print. */
const open = async (): Promise<string> => {
  const db = openEmbedded(dataDir);
  const reason = await db.query(COUNT, []).then(
    () => "opened",
    (error: unknown) => (error as Error).message,
  );
  await db.close();
  return reason;
};

describe("a damaged directory is named when it is opened, with what to do", () => {
  it.each<[string, (file: (name: string) => string) => void, string]>([
    [
      "a missing control file",
      (file) => rmSync(file("global/pg_control")),
      'could not open file "global/pg_control": No such file or directory',
    ],
    [
      "an empty control file",
      (file) => truncateSync(file("global/pg_control")),
      'could not read file "global/pg_control": read 0 of',
    ],
    [
      "an empty directory of the log",
      (file) => {
        rmSync(file("pg_wal"), { recursive: true });
        mkdirSync(file("pg_wal"));
      },
      "could not locate a valid checkpoint record",
    ],
    [
      "no directory of the log",
      (file) => rmSync(file("pg_wal"), { recursive: true }),
      'required WAL directory "pg_wal" does not exist',
    ],
    [
      "no status of transactions",
      (file) => truncateSync(file("pg_xact/0000")),
      'Could not read from file "pg_xact/0000" at offset 0: read too few bytes',
    ],
    [
      "no files of tables",
      (file) => rmSync(file("base"), { recursive: true }),
      '"base/5" is not a valid data directory: File "base/5/PG_VERSION" is missing',
    ],
    [
      "a catalog that is empty",
      (file) => truncateSync(file("base/5/1259")),
      "could not open critical system index",
    ],
    ["no version", (file) => rmSync(file("PG_VERSION")), "PG_VERSION: ENOENT"],
    ["an empty version", (file) => truncateSync(file("PG_VERSION")), "PG_VERSION has no version"],
  ])("%s", async (_, change, reason) => {
    change((name) => path.join(cluster, name));
    const message = await open();
    expect(message).toContain(`The embedded database in ${cluster} is damaged: `);
    expect(message).toContain(reason);
    expect(message).toContain(`Stop Parley, move all but the file "secret" of ${dataDir} to`);
    expect(message).not.toContain("/pglite/");
  });

  it("a file in its place, which is left as it is", async () => {
    rmSync(cluster, { recursive: true });
    writeFileSync(cluster, "mine");
    expect(await open()).toContain(`in ${cluster} is damaged: it is not a directory. Stop Parley`);
    expect(readFileSync(cluster, "utf8")).toBe("mine");
  });

  it("a start that needs a table whose file is missing", async () => {
    const file = await findTableFile(dataDir, "chat");
    rmSync(path.join(cluster, file));
    expect(await open()).toContain(
      `in ${cluster} is damaged: could not open file "${file}": No such file or directory. Stop`,
    );
  });
});

describe("data that cannot be read later", () => {
  it("is a 503 for what needs it, one line in the log, and a reason not to be ready", async () => {
    const before = openEmbedded(dataDir);
    await before.query(INSERT, []);
    await before.query(CHECKPOINT, []);
    await before.close();
    damageFile(path.join(cluster, await findTableFile(dataDir, "setting")));
    const lines: { reason?: string }[] = [];
    const spy = vi.spyOn(processLog(), "error").mockImplementation(((fields: object) => {
      lines.push(fields);
    }) as never);
    const db = openEmbedded(dataDir);
    const checked = { probe: createDatabaseProbe(db), activity: {} };
    try {
      expect(await db.query(CHATS, [])).toEqual([{ count: 0 }]);
      expect((await handleReadyz(checked)).status).toBe(200);
      for (let call = 0; call < 3; call++) {
        await expect(db.query(COUNT, [])).rejects.toMatchObject({
          name: "DomainError",
          code: "unavailable",
          message: "The database cannot read a part of its data. Its operator has to repair it.",
        });
      }
      await expect(db.prisma.setting.count()).rejects.toMatchObject({ code: "unavailable" });
      expect(lines).toMatchObject([{ database: "embedded" }]);
      expect(lines[0]?.reason).toMatch(
        /^Data of the database is damaged: invalid page in block \d+ of relation "base.*"\. Stop Parley, /,
      );
      expect(lines[0]?.reason).toContain(
        `move all but the file "secret" of ${dataDir} to another place`,
      );
      const readiness = await handleReadyz(checked);
      expect(readiness.status).toBe(503);
      expect(await readiness.json()).toMatchObject({ checks: { data: false } });
      // What is not damaged is still served.
      expect(await db.query(CHATS, [])).toEqual([{ count: 0 }]);
      expect(db.status()).toMatchObject({ isAvailable: true, isReachable: true });
    } finally {
      spy.mockRestore();
      await db.close();
    }
  });
});

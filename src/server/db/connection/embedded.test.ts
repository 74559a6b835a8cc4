import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createChat } from "@/server/chat/create-chat";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { fillDataDirectory } from "@/test/database";
import { expectNothingLost, openEmbedded } from "@/test/embedded-crash";
import { type Program, startProgram } from "@/test/start-program";
import { beginTestTask } from "@/test/task-fixture";
import { openDatabase } from "./open-database";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";
import { listAbandonedTasks } from "@/server/db/sql/machine/abandoned-tasks";

const VERSION = { name: "test-version", text: "SELECT version()" };

const makeDirectory = (): string => mkdtempSync(path.join(os.tmpdir(), "parley-embedded-"));

describe("a data directory that a process uses and leaves by a crash", () => {
  let dataDir: string;
  let writer: Program;

  beforeAll(async () => {
    dataDir = makeDirectory();
    // What a first start leaves behind that was killed in the middle.
    mkdirSync(path.join(dataDir, "pg.init"));
    writeFileSync(path.join(dataDir, "pg.init", "PG_VERSION"), "");
    writer = await startProgram("embedded-writer", [dataDir]);
    await writer.waitForLines(20);
  });
  afterAll(async () => {
    await writer.kill();
    rmSync(dataDir, { recursive: true });
  });

  it("refuses a second process with a sentence that says which is in the way and what to do", async () => {
    const second = openEmbedded(dataDir);
    await expect(second.query(VERSION, [])).rejects.toThrow(
      `The data directory ${dataDir} is in use by process ${writer.pid}. ` +
        "Stop that process, or set DATABASE_URL to a PostgreSQL server to run several.",
    );
    await second.close();
  });

  it("loses nothing that was committed before a crash", () => expectNothingLost(dataDir, writer));
});

it("keeps all its files to this account: new ones, those of earlier versions, and restored copies", async () => {
  const dataDir = makeDirectory();
  const cluster = path.join(dataDir, "pg");
  const listNames = (): string[] => readdirSync(cluster, { recursive: true, encoding: "utf8" });
  const listShared = (): string[] =>
    listNames().filter((name) => (statSync(path.join(cluster, name)).mode & 0o077) !== 0);
  const first = openEmbedded(dataDir);
  await first.query(VERSION, []);
  expect(listShared()).toEqual([]);
  await first.query(
    { name: "table", text: "CREATE TABLE later AS SELECT generate_series(1, 9) n" },
    [],
  );
  await first.query({ name: "checkpoint", text: "CHECKPOINT" }, []);
  await first.close();
  expect(listShared()).toEqual([]);

  expect(listNames().length).toBeGreaterThan(900);

  for (const file of listNames().map((name) => path.join(cluster, name))) {
    chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o666);
  }
  const outside = path.join(makeDirectory(), "outside");
  writeFileSync(outside, "", { mode: 0o644 });
  symlinkSync(outside, path.join(cluster, "link"));
  const second = openEmbedded(dataDir);
  await second.query(VERSION, []);
  await second.close();
  expect(listShared()).toEqual(["link"]);
  expect(statSync(outside).mode & 0o777).toBe(0o644);
});

it("knows at its start that the processes before it are gone, with their tasks", async () => {
  const dataDir = makeDirectory();
  await fillDataDirectory(dataDir);
  const before = openEmbedded(dataDir);
  const { id: chatId } = await createChat(await createTestContext(before), {
    content: toTextContent("hello"),
  });
  const id = await beginTestTask(before, { chatId, owner: "gone" });
  await recordHeartbeat(before, "gone");
  expect(await listAbandonedTasks(before, { owner: "new", limit: 1 })).toEqual([]);
  await before.close();
  const db = openEmbedded(dataDir);
  expect(await listAbandonedTasks(db, { owner: "new", limit: 1 })).toEqual([{ id, chatId }]);
  await db.close();
  rmSync(dataDir, { recursive: true });
});

describe("a commit", () => {
  it("is on the disk when it is acknowledged", async () => {
    const dataDir = makeDirectory();
    await fillDataDirectory(dataDir);
    const db = openEmbedded(dataDir);
    await db.query(VERSION, []);
    const { fsyncSync } = fs;
    let syncs = 0;
    fs.fsyncSync = (descriptor) => {
      syncs += 1;
      fsyncSync(descriptor);
    };
    syncBuiltinESMExports();
    try {
      for (let count = 1; count <= 10; count++) {
        await db.query(
          { name: "test-insert", text: "INSERT INTO setting (key, value) VALUES ($1, '1')" },
          [`key-${count}`],
        );
        expect(syncs).toBeGreaterThanOrEqual(count);
      }
    } finally {
      fs.fsyncSync = fsyncSync;
      syncBuiltinESMExports();
      await db.close();
      rmSync(dataDir, { recursive: true });
    }
  });
});

describe("opening", () => {
  let dataDir: string;
  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("touches nothing before the first use, and cannot be used after the close", async () => {
    dataDir = makeDirectory();
    rmSync(dataDir, { recursive: true });
    const db = openDatabase({ databaseUrl: null, dataDir, poolSize: 1 });
    expect(db.prisma).toBeDefined();
    await db.close();
    await expect(db.query(VERSION, [])).rejects.toThrow("the database is closed");
    expect(existsSync(dataDir)).toBe(false);
  });

  it("says so when the directory is of another PostgreSQL", async () => {
    dataDir = makeDirectory();
    mkdirSync(path.join(dataDir, "pg"));
    writeFileSync(path.join(dataDir, "pg", "PG_VERSION"), "17\n");
    const db = openEmbedded(dataDir);
    await expect(db.query(VERSION, [])).rejects.toThrow(
      /pg was written by PostgreSQL 17, and this version embeds 18: start the version that wrote it/,
    );
    await db.close();
    expect(readFileSync(path.join(dataDir, "pg", "PG_VERSION"), "utf8")).toBe("17\n");
  });

  it("can be tried again after it has failed", async () => {
    dataDir = makeDirectory();
    mkdirSync(path.join(dataDir, "pg"));
    writeFileSync(path.join(dataDir, "pg", "PG_VERSION"), "17\n");
    const db = openEmbedded(dataDir);
    await expect(db.query(VERSION, [])).rejects.toThrow("PostgreSQL 17");
    rmSync(path.join(dataDir, "pg"), { recursive: true });
    await fillDataDirectory(dataDir);
    expect(await db.query(VERSION, [])).toMatchObject([
      { version: expect.stringContaining("18") as string },
    ]);
    await db.close();
  });
});

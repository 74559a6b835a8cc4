import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fillDataDirectory } from "@/test/database";
import { openEmbedded } from "@/test/embedded-crash";
import type { Database } from "./database";

const TABLES = {
  name: "test-tables",
  text: "SELECT format('%I', relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
};
const INSERT = {
  name: "test-insert-setting",
  text: "INSERT INTO setting (key, value) VALUES ('damaged', '1')",
};

const CHANGES: Record<string, (file: string) => void> = {
  removed: (file) => {
    rmSync(file);
  },
  emptied: (file) => {
    truncateSync(file);
  },
  "cut to half": (file) => {
    truncateSync(file, Math.floor(statSync(file).size / 2));
  },
};

/** All of them take half an hour. */
const EVERY = 7;

/** Reads all tables and writes a row. @throws {Error} the first failure. */
const useAll = async (db: Database): Promise<void> => {
  const tables = await db.query<{ name: string }>(TABLES, []);
  for (const { name } of tables)
    await db.query({ name: `test-read-${name}`.slice(0, 63), text: `SELECT * FROM ${name}` }, []);
  await db.query(INSERT, []);
};

/** Of a table that was cut, PostgreSQL finds fewer rows: such migrations are done again, and fail. */
const isNamed = (error: unknown, dataDir: string): boolean => {
  const { message, code } = error as { message: string; code?: string };
  return (
    message.includes(dataDir) || code === "unavailable" || /^Migration .* failed/.test(message)
  );
};

it("each seventh file that is removed, emptied or cut does no harm, or is named", async () => {
  const whole = mkdtempSync(path.join(os.tmpdir(), "parley-whole-"));
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-damaged-"));
  onTestFinished(() => {
    for (const directory of [whole, dataDir]) rmSync(directory, { recursive: true });
  });
  await fillDataDirectory(whole);
  const first = openEmbedded(whole);
  await first.query(TABLES, []);
  await first.close();
  const cluster = path.join(dataDir, "pg");
  const files = readdirSync(path.join(whole, "pg"), { recursive: true, encoding: "utf8" })
    .filter((name) => {
      const stats = statSync(path.join(whole, "pg", name));
      return stats.isFile() && stats.size > 0;
    })
    .filter((_name, index) => index % EVERY === 0);
  const surprises: string[] = [];
  let named = 0;
  for (const [index, name] of files.entries()) {
    const [change = ""] = Object.keys(CHANGES).slice(index % 3);
    cpSync(path.join(whole, "pg"), cluster, { recursive: true });
    CHANGES[change]?.(path.join(cluster, name));
    const db = openEmbedded(dataDir);
    try {
      await useAll(db);
    } catch (error) {
      if (isNamed(error, dataDir)) named += 1;
      else surprises.push(`${name} ${change}: ${String(error)}`);
    }
    await db.close();
    rmSync(cluster, { recursive: true });
  }
  expect(named).toBeGreaterThan(files.length / 20);
  expect(surprises).toEqual([]);
});

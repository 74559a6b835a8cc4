import { PGlite } from "@electric-sql/pglite";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPglitePool } from "./pglite-pool";
import { startUpkeep } from "./upkeep";

let pool: pg.Pool;
let lite: PGlite;
beforeAll(async () => {
  lite = await PGlite.create();
  pool = createPglitePool(lite, { onNotification: () => undefined, onFailure: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await lite.close();
});

/** Checks of the log in which nothing else was done. */
const IDLE_CHECKS = 20;

const one = async (sql: string): Promise<unknown> => {
  const { rows } = await pool.query<{ value: unknown }>(sql);
  return rows[0]?.value;
};
const checkpoint = () => one("SELECT redo_lsn::text AS value FROM pg_control_checkpoint()");

it("makes checkpoints while there is work, and leaves an idle database alone", async () => {
  const errors: unknown[] = [];
  const statements: string[] = [];
  const query = (text: string) => {
    statements.push(text);
    return pool.query(text);
  };
  const stop = startUpkeep({ query } as pg.Pool, (error) => errors.push(error), {
    checkMs: 5,
    vacuumAfterBytes: 1_000,
  });
  await pool.query("CREATE TABLE log AS SELECT i FROM generate_series(1, 1000) AS i");
  const written = await checkpoint();
  // -1 is a table that was never analysed.
  await expect
    .poll(() => one("SELECT reltuples AS value FROM pg_class WHERE relname = 'log'"))
    .toBe(1000);
  await expect.poll(checkpoint).not.toBe(written);

  const isIdle = () => statements.slice(-IDLE_CHECKS).every((text) => text.startsWith("SELECT"));
  await expect.poll(isIdle).toBe(true);
  const [idle, count] = [await checkpoint(), statements.length];
  await expect.poll(() => statements.length).toBeGreaterThan(count + IDLE_CHECKS);
  expect(await checkpoint()).toBe(idle);

  await pool.query("INSERT INTO log VALUES (1)");
  await expect.poll(checkpoint).not.toBe(idle);
  await stop();
  expect(errors).toEqual([]);
});

it("keeps no statistics of a new database", async () => {
  await pool.query("CREATE TABLE new_log AS SELECT i FROM generate_series(1, 10) AS i");
  const written = await checkpoint();
  const stop = startUpkeep(pool, () => undefined, { checkMs: 5 });
  await expect.poll(checkpoint).not.toBe(written);
  expect(await one("SELECT reltuples AS value FROM pg_class WHERE relname = 'new_log'")).toBe(-1);
  await stop();
});

it("reports failures and continues", async () => {
  const errors: unknown[] = [];
  const broken = { query: () => Promise.reject(new Error("away")) } as unknown as pg.Pool;
  const stop = startUpkeep(broken, (error) => errors.push(error), { checkMs: 1 });
  await expect.poll(() => errors.length).toBeGreaterThan(1);
  await stop();
});

it("writes no checkpoint while another process copies the files, and does so afterwards", async () => {
  let isLocked = true;
  let checks = 0;
  let released = 0;
  const lock = () => {
    checks += 1;
    return isLocked
      ? undefined
      : () => {
          released += 1;
        };
  };
  await pool.query("CREATE TABLE copied AS SELECT i FROM generate_series(1, 10) AS i");
  const written = await checkpoint();
  const stop = startUpkeep(pool, () => undefined, { checkMs: 1, lock });
  await expect.poll(() => checks).toBeGreaterThan(10);
  expect(await checkpoint()).toBe(written);
  isLocked = false;
  await expect.poll(checkpoint).not.toBe(written);
  await stop();
  expect(released).toBeGreaterThan(0);
});

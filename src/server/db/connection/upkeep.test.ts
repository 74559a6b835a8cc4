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
}, 60_000);
afterAll(async () => {
  await pool.end();
  await lite.close();
});

const one = async (sql: string): Promise<unknown> => {
  const { rows } = await pool.query<{ value: unknown }>(sql);
  return rows[0]?.value;
};
const checkpoint = () => one("SELECT redo_lsn::text AS value FROM pg_control_checkpoint()");

it("makes checkpoints while there is work, and leaves an idle database alone", async () => {
  const errors: unknown[] = [];
  const stop = startUpkeep(pool, (error) => errors.push(error), {
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

  let [before, after]: unknown[] = [undefined, await checkpoint()];
  await expect
    .poll(async () => {
      [before, after] = [after, await checkpoint()];
      return before === after;
    })
    .toBe(true);
  const idle = await checkpoint();
  const ticks = Array.from({ length: 20 }, () => one("SELECT pg_backend_pid() AS value"));
  await Promise.all(ticks);
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

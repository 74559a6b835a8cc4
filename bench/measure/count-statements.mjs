import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const setLogging = async ({ query }, value) => {
  await query(`ALTER SYSTEM SET log_statement = '${value}'`, []);
  await query("SELECT pg_reload_conf()", []);
};

/**
 * Counts the statements of a private PostgreSQL for a time, by the names that Parley gives them, or by their beginning.
 *
 * @param {{ query: import("../start/databases.mjs").Query }} database
 * @param {number} seconds
 * @returns {Promise<Map<string, number>>}
 */
export const countStatements = async (database, seconds) => {
  const { rows } = await database.query("SELECT current_setting('data_directory') AS folder", []);
  const log = join(dirname(rows[0].folder), "log");
  const start = statSync(log).size;
  await setLogging(database, "all");
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  await setLogging(database, "none");
  const text = readFileSync(log).subarray(start).toString();
  const counts = new Map();
  for (const [, name, sql] of text.matchAll(/LOG: {2}(?:execute ([^:\n]+)|statement): (.*)/g)) {
    const key = name === undefined || name.startsWith("<") ? sql.slice(0, 60) : name;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

import type { Database, Transaction } from "@/server/db/connection/database";

const SETTINGS = ["enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"];

/**
 * Runs statements in one transaction with plans that read whole tables: rows come in the order in which they were
 * written, unless a statement orders them.
 */
export const runWithoutIndexes = <Result>(
  db: Database,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    const set = (name: string, value: string) =>
      tx.query({ name: `test-set-${name}`, text: `SET LOCAL ${name} = ${value}` }, []);
    // Others are kept for the whole session.
    await set("plan_cache_mode", "force_custom_plan");
    await set("enable_seqscan", "on");
    for (const name of SETTINGS) await set(name, "off");
    return run(tx);
  });

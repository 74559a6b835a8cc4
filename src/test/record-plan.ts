import type { Database } from "@/server/db/connection/database";

/** Explains the statements of a run in place of carrying them out. @returns their plans, as text. */
export const recordPlan = async (
  db: Database,
  run: (explained: Database) => Promise<unknown>,
): Promise<string> => {
  const plans: string[] = [];
  const query: Database["query"] = async ({ name, text }, values) => {
    const statement = { name: `test-explain-${name}`, text: `EXPLAIN ${text}` };
    const lines = await db.query<{ "QUERY PLAN": string }>(statement, values);
    plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
    return [];
  };
  await run({ ...db, query });
  return plans.join("\n");
};

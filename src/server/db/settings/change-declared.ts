import type { Database, Transaction } from "@/server/db/connection/database";
import { lockTable } from "@/server/db/sql/machine/table-locks";
import { publishDeclaredChange } from "@/server/db/sql/writes/setting-notices";

const TABLE = {
  models: "model",
  recipes: "recipe",
  mcpServers: "mcpServer",
  toolsets: "toolset",
} as const;

/**
 * Changes what administrators declare of one kind. All of the kind is locked for the change, so that what it reads of them stays
 * true, and every process reads them again.
 */
export const changeDeclared = <Result>(
  db: Database,
  kind: keyof typeof TABLE,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    await lockTable(tx, TABLE[kind]);
    const result = await change(tx);
    await publishDeclaredChange(tx, kind);
    return result;
  });

import type { Database, Transaction } from "@/server/db/connection/database";
import { publishDeclaredChange } from "@/server/db/sql/writes/setting-notices";
import { recordRunners, type Runner } from "@/server/db/sql/writes/dated-writes";
import type { ToolsetRow } from "./toolset-reads";

export const insertToolset = async (
  { prisma }: Transaction,
  toolset: Pick<ToolsetRow, "name" | "userId" | "declaration" | "declaredBy">,
): Promise<void> => {
  await prisma.toolset.create({ data: toolset });
};

/**
 * Records that programs are connected.
 *
 * @param isArrival whether some were not before, so that every process offers their tools at once.
 */
export const saveRunners = async (
  db: Database,
  { runners, isArrival }: { runners: readonly Runner[]; isArrival: boolean },
): Promise<void> => {
  if (!isArrival) return recordRunners(db, runners);
  await db.transaction(async (tx) => {
    await recordRunners(tx, runners);
    await publishDeclaredChange(tx, "runners");
  });
};

export const deleteToolsetRow = async ({ prisma }: Transaction, name: string): Promise<void> => {
  await prisma.toolset.deleteMany({ where: { name } });
};

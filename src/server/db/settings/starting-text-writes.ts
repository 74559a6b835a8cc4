import type { Database, Queryable } from "@/server/db/connection/database";
import { lockTable } from "@/server/db/sql/machine/table-locks";
import type { StartingTextRow } from "./starting-text-reads";

type TextToStore = { id: string; userId: string; text: string; limit: number };

/** @returns undefined if the user has as many texts as `limit`. */
export const insertStartingText = (
  db: Database,
  { limit, ...data }: TextToStore,
): Promise<StartingTextRow | undefined> =>
  db.transaction(async (tx) => {
    await lockTable(tx, "startingText");
    const { startingText } = tx.prisma;
    const count = await startingText.count({ where: { userId: data.userId } });
    return count < limit ? startingText.create({ data }) : undefined;
  });

/** @returns whether the user had it. */
export const deleteStartingTextRow = async (
  { prisma }: Queryable,
  where: { id: string; userId: string },
): Promise<boolean> => (await prisma.startingText.deleteMany({ where })).count > 0;

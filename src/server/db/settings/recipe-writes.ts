import type { RecipeInput } from "@/contract/recipe";
import type { Database, Transaction } from "@/server/db/connection/database";
import { publishRecipeReload } from "@/server/db/sql/writes/setting-notices";

/** Asks the other processes to load their files of recipes again. */
export const announceRecipeReload = (db: Database, sender: string): Promise<void> =>
  db.transaction((tx) => publishRecipeReload(tx, sender));

export const insertRecipe = async (
  { prisma }: Transaction,
  declaration: RecipeInput,
): Promise<void> => {
  await prisma.recipe.create({ data: { name: declaration.name, declaration } });
};

export const deleteRecipeRow = async ({ prisma }: Transaction, name: string): Promise<void> => {
  await prisma.recipe.delete({ where: { name } });
};

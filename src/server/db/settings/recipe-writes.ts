import type { RecipeInput } from "@/contract/recipe";
import type { Database, Transaction } from "@/server/db/connection/database";
import { publishDeclaredChange, publishRecipeReload } from "@/server/db/sql/writes/setting-notices";
import { lockTable } from "@/server/db/sql/machine/table-locks";

/** A change of recipes, which are locked for it, so that what it reads of them stays true. */
export const changeRecipes = <Result>(
  db: Database,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    await lockTable(tx, "recipe");
    const result = await change(tx);
    await publishDeclaredChange(tx, "recipes");
    return result;
  });

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

import { RecipeInput } from "@/contract/recipe";
import type { Database, Queryable } from "@/server/db/connection/database";
import { RECIPE_RELOAD_CHANNEL } from "@/server/db/sql/writes/setting-notices";
import { isSameList } from "./cached-read";

/** A declared recipe. */
export type RecipeRow = { name: string; declaration: RecipeInput; updatedAt: Date };

/** All declared recipes by name. Omits those that another version has stored and this one cannot read. */
export const listRecipes = async ({ prisma }: Queryable): Promise<RecipeRow[]> => {
  const rows = await prisma.recipe.findMany({ orderBy: { name: "asc" } });
  return rows.flatMap(toRow);
};

export const findRecipe = async (
  { prisma }: Queryable,
  name: string,
): Promise<RecipeRow | undefined> => {
  const row = await prisma.recipe.findUnique({ where: { name } });
  return row ? toRow(row)[0] : undefined;
};

type Stored = { name: string; declaration: unknown; updatedAt: Date };

const toRow = ({ name, declaration, updatedAt }: Stored): RecipeRow[] => {
  const { data } = RecipeInput.safeParse(declaration);
  return data ? [{ name, declaration: data, updatedAt }] : [];
};

/** Counts all declared recipes, also those that this version cannot read. */
export const countRecipes = ({ prisma }: Queryable): Promise<number> => prisma.recipe.count();

/** @param reload called when another process has loaded its files of recipes again; does not reject. */
export const watchRecipeReloads = async (
  db: Database,
  { id, reload }: { id: string; reload: () => Promise<void> },
): Promise<void> => {
  await db.listen(RECIPE_RELOAD_CHANNEL, (sender) => {
    if (sender !== "" && sender !== id) reload().catch(() => undefined);
  });
};

/** Reads only names and times if nothing has changed: hundreds of declarations take longer than a turn does. */
export const readRecipesIfChanged = async (
  db: Queryable,
  known: readonly RecipeRow[],
): Promise<readonly RecipeRow[]> => {
  const versions = await db.prisma.recipe.findMany({
    select: { name: true, updatedAt: true },
    orderBy: { name: "asc" },
  });
  const isSame = isSameList<RecipeVersion>(known, versions, ({ name }) => name);
  return isSame ? known : listRecipes(db);
};

type RecipeVersion = Pick<RecipeRow, "name" | "updatedAt">;

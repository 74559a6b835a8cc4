import { RecipeInput } from "@/contract/recipe";
import type { Database, Queryable } from "@/server/db/connection/database";
import { perDatabase } from "@/server/db/connection/per-database";
import { RECIPE_CHANNEL, RECIPE_RELOAD_CHANNEL } from "@/server/db/sql/writes/recipe-notices";

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

/** How late a change is seen when its notification was lost. */
const CACHE_MS = 5_000;

type RecipeCache = {
  current?: { recipes: Promise<readonly RecipeRow[]>; expiresAt: number };
  /** The last list that was read. */
  known: readonly RecipeRow[];
};

const recipeCache = perDatabase((): RecipeCache => ({ known: [] }));

/** Drops the cached list of this process at each change of recipes, in any process. */
export const watchRecipes = async (db: Database): Promise<void> => {
  await db.listen(RECIPE_CHANNEL, () => delete recipeCache(db).current);
};

/** @param reload called when another process has loaded its files of recipes again; does not reject. */
export const watchRecipeReloads = async (
  db: Database,
  { id, reload }: { id: string; reload: () => Promise<void> },
): Promise<void> => {
  await db.listen(RECIPE_RELOAD_CHANNEL, (sender) => {
    if (sender !== "" && sender !== id) reload().catch(() => undefined);
  });
};

/**
 * Lists the recipes from a cache, for every step. Does not reject: while the database is away, it returns the last
 * list.
 */
export const recentRecipes = (db: Database): Promise<readonly RecipeRow[]> => {
  const cache = recipeCache(db);
  const now = performance.now();
  if (cache.current && cache.current.expiresAt > now) return cache.current.recipes;
  const recipes: Promise<readonly RecipeRow[]> = readIfChanged(db, cache.known).then(
    (rows) => {
      // After a change since the read began, the rows may be older than those that are known.
      if (cache.current?.recipes !== recipes) return recentRecipes(db);
      return (cache.known = rows);
    },
    () => cache.known,
  );
  cache.current = { recipes, expiresAt: now + CACHE_MS };
  return recipes;
};

/** Drops the cached list after a change by this process, whose notification comes later. */
export const forgetRecipes = (db: Database): void => void delete recipeCache(db).current;

/** Reads only names and times if nothing has changed: hundreds of declarations take longer than a turn does. */
const readIfChanged = async (
  db: Database,
  known: readonly RecipeRow[],
): Promise<readonly RecipeRow[]> => {
  const versions = await db.prisma.recipe.findMany({
    select: { name: true, updatedAt: true },
    orderBy: { name: "asc" },
  });
  return isSame(known, versions) ? known : listRecipes(db);
};

type RecipeVersion = Pick<RecipeRow, "name" | "updatedAt">;

/** What is made of an unchanged list stays valid. */
const isSame = (before: readonly RecipeVersion[], after: readonly RecipeVersion[]): boolean =>
  before.length === after.length &&
  before.every(({ name, updatedAt }, index) => {
    const other = after[index];
    return other?.name === name && other.updatedAt.getTime() === updatedAt.getTime();
  });

import { DomainError } from "@/contract/domain-error";
import type { JsonObject } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import {
  MAX_DECLARED_RECIPES,
  type Recipe,
  type RecipeInput,
  type RecipeList,
} from "@/contract/recipe";
import type { Transaction } from "@/server/db/connection/database";
import type { ServerContext } from "@/server/context";
import { changeDeclared } from "@/server/db/settings/change-declared";
import {
  countRecipes,
  findRecipe,
  listRecipes,
  type RecipeRow,
} from "@/server/db/settings/recipe-reads";
import {
  announceRecipeReload,
  deleteRecipeRow,
  insertRecipe,
} from "@/server/db/settings/recipe-writes";
import { replaceRecipe } from "@/server/db/sql/writes/dated-writes";
import { findProblems } from "@/server/recipes/declared-recipe";
import type { FileRecipe } from "@/server/recipes/files/load-folder";
import { findFileRecipe } from "./recipe-names";
import { requireOwner } from "./require-owner";

/** Lists all recipes, those of files first. @throws {DomainError} `forbidden`. */
export const listAllRecipes = async (ctx: ServerContext): Promise<RecipeList> => {
  requireOwner(ctx.actor);
  const { db, recipeFiles } = ctx;
  const [files, rows] = await Promise.all([recipeFiles.list(), listRecipes(db)]);
  return {
    data: [...files.map(toWireFile), ...rows.map((row) => toWireRecipe(row, files))],
    folder: recipeFiles.folder ?? null,
  };
};

/**
 * Loads the files of recipes again, in this process, and asks the others to do so.
 *
 * @throws {DomainError} `forbidden`.
 */
export const reloadRecipes = async (ctx: ServerContext): Promise<RecipeList> => {
  requireOwner(ctx.actor);
  const { db, recipeFiles } = ctx;
  await recipeFiles.reload();
  await announceRecipeReload(db, recipeFiles.id);
  return listAllRecipes(ctx);
};

/** @throws {DomainError} `forbidden`; `invalid`; `conflict` for a name that is taken. */
export const createRecipe = async (ctx: ServerContext, input: RecipeInput): Promise<Recipe> => {
  requireOwner(ctx.actor);
  await requireSound(ctx, input);
  const file = findFileRecipe(await ctx.recipeFiles.list(), input.name);
  if (file) throw nameTaken(`The file ${file.file} has a recipe "${input.name}".`);
  return changeAndRead(ctx, input.name, async (tx) => {
    if ((await countRecipes(tx)) >= MAX_DECLARED_RECIPES) throw tooMany();
    if (await findRecipe(tx, input.name))
      throw nameTaken(`There is a recipe "${input.name}" already.`);
    await insertRecipe(tx, input);
  });
};

/**
 * Replaces a recipe, for the next calls of all chats.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `invalid`.
 */
export const updateRecipe = async (ctx: ServerContext, input: RecipeInput): Promise<Recipe> => {
  requireOwner(ctx.actor);
  await requireRow(ctx.db, input.name);
  await requireSound(ctx, input);
  return changeAndRead(ctx, input.name, async (tx) => {
    await requireRow(tx, input.name);
    await replaceRecipe(tx, input);
  });
};

/** @throws {DomainError} `forbidden`, `not_found`. */
export const deleteRecipe = async (
  { db, actor, cached }: ServerContext,
  { name }: { name: string },
): Promise<void> => {
  requireOwner(actor);
  await changeDeclared(db, "recipes", async (tx) => {
    await requireRow(tx, name);
    await deleteRecipeRow(tx, name);
  });
  cached.recipes.forget();
};

const changeAndRead = async (
  { db, cached, recipeFiles }: ServerContext,
  name: string,
  change: (tx: Transaction) => Promise<void>,
): Promise<Recipe> => {
  const row = await changeDeclared(db, "recipes", async (tx) => {
    await change(tx);
    return requireRow(tx, name);
  });
  cached.recipes.forget();
  return toWireRecipe(row, await recipeFiles.list());
};

const requireSound = async (
  { actor: { userId }, toolSources }: ServerContext,
  input: RecipeInput,
): Promise<void> => {
  const reservedNames = toolSources.flatMap((source) => source.reservedNames);
  const problems = await findProblems(input, { userId, reservedNames });
  if (problems.length > 0) throw invalid("The recipe is not valid.", problems);
};

/** @throws {DomainError} `not_found`. */
const requireRow = async (
  queryable: Parameters<typeof findRecipe>[0],
  name: string,
): Promise<RecipeRow> => {
  const row = await findRecipe(queryable, name);
  if (!row) throw new DomainError("not_found", `There is no recipe "${name}".`);
  return row;
};

const invalid = (message: string, errors: FieldError[]): DomainError =>
  new DomainError("invalid", message, { errors });

const tooMany = (): DomainError =>
  new DomainError(
    "conflict",
    `There can be at most ${MAX_DECLARED_RECIPES} declared recipes. Delete one first.`,
    { shouldRetry: false },
  );

const nameTaken = (message: string): DomainError =>
  new DomainError("conflict", message, {
    shouldRetry: false,
    errors: [{ pointer: "/name", message: "is taken" }],
  });

const toWireRecipe = (
  { name, declaration, updatedAt }: RecipeRow,
  files: readonly FileRecipe[],
): Recipe => {
  const taken = findFileRecipe(files, name);
  return {
    name,
    source: "declared",
    declaration,
    description: declaration.description,
    enabled: declaration.enabled,
    parameters: declaration.parameters,
    example: declaration.example,
    updated_at: updatedAt.toISOString(),
    ...(taken && {
      problem: { message: `The file ${taken.file} has a recipe of this name, which is offered.` },
    }),
  };
};

const toWireFile = (recipe: FileRecipe): Recipe => {
  const { file } = recipe;
  const common = { source: "file", file, enabled: true } as const;
  if ("problem" in recipe) {
    return { ...common, name: file, description: "", problem: recipe.problem };
  }
  const { name, description, parameters, example } = recipe.loaded;
  return { ...common, name, description, parameters: parameters as JsonObject, example };
};

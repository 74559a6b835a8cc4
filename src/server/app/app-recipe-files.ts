import { log } from "@/server/log";
import type { FileRecipe } from "@/server/recipes/files/load-folder";
import { PROVIDER_TOOL_NAMES } from "@/server/tools/provider-names";
import { createRecipeFiles, type RecipeFiles } from "@/server/recipes/files/recipe-files";
import { BUILTIN_TOOL_NAMES } from "./tool-registry";

/** Returns the recipes of the process's folder. */
export const createAppRecipeFiles = (folder: string | null): RecipeFiles =>
  createRecipeFiles(folder ?? undefined, {
    reservedNames: [...BUILTIN_TOOL_NAMES, ...PROVIDER_TOOL_NAMES],
    onChange: logRecipes,
  });

/** Operators read the log before they open the settings. */
const logRecipes = (recipes: readonly FileRecipe[]): void => {
  for (const recipe of recipes) {
    if ("problem" in recipe) log().warn(recipe.problem, "a file of recipes is not offered");
  }
  log().info({ recipes: recipes.filter((recipe) => "loaded" in recipe).length }, "recipes loaded");
};

const reportFailure = (error: unknown): void => {
  log().error({ err: error }, "files of recipes could not be compared");
};

/** How often the folder is compared with what was loaded, as changes on network drives are not reported. */
const POLL_MS = 2_000;

/**
 * Loads the recipes when the process is ready, which it would be later otherwise, and follows changes of their files. A
 * turn before that loads them at once. Keeps no process alive.
 *
 * @param ready does not reject.
 */
export const watchRecipeFiles = async (files: RecipeFiles, ready: Promise<void>): Promise<void> => {
  if (files.folder === undefined) return;
  await ready;
  let isLoading = false;
  const poll = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    await files.refresh();
    isLoading = false;
  };
  const start = (): void => void poll().catch(reportFailure);
  start();
  setInterval(start, POLL_MS).unref();
};

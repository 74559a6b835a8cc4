import type { FileRecipe } from "@/server/recipes/files/load-folder";

/** Finds the recipe of a file by the name of its tool. */
export const findFileRecipe = (files: readonly FileRecipe[], name: string) =>
  files.filter((file) => "loaded" in file).find(({ loaded }) => loaded.name === name);

import { getErrorMessage } from "@/lib/error-message";
import { loadRecipe } from "@/server/recipes/load-recipe";
import type { LoadedRecipe } from "@/server/recipes/loaded-recipe";
import { settleReport } from "@/server/recipes/settle-with-signal";
import { importModule } from "./import-module";

/** Loads a bundle that was checked. Does not reject. @returns the sentence why it has no recipe after all. */
export const importRecipe = async (bundle: string): Promise<LoadedRecipe | string> => {
  try {
    const module = await settleReport(() => importModule(bundle));
    const loaded = await loadRecipe(module.default);
    if (!Array.isArray(loaded)) return loaded;
    return loaded.map(({ pointer, message }) => `${pointer} ${message}.`).join("\n");
  } catch (error) {
    return `It failed in the server: ${getErrorMessage(error)}`;
  }
};

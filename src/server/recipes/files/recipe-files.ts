import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { getErrorMessage } from "@/lib/error-message";
import { type FileRecipe, type KnownFiles, loadFolder } from "./load-folder";

const LIMITS = {
  /** Longer than a few broken files take, shorter than people wait for the first word of an answer. */
  firstLoadMs: 30_000,
  /** A broken file may depend on files that are not watched, so it is loaded again; one that loops costs 5 s each time. */
  retryMs: 30_000,
};

/** The recipes of a folder, as this process has loaded them. No function rejects. */
export type RecipeFiles = {
  /** Recipes of this process. */
  id: string;
  /** Undefined without a folder. */
  folder: string | undefined;
  /**
   * In the order of file names; the same array until something has changed. Waits for the first load; if that takes
   * too long, there are none until its end.
   */
  list: () => Promise<readonly FileRecipe[]>;
  /** Loads all files again, and resolves when that is done. */
  reload: () => Promise<void>;
  /** Loads what has changed since the last load, and resolves when that is done. */
  refresh: () => Promise<void>;
};

type RecipeFilesOptions = Partial<typeof LIMITS> & {
  /** Names that no recipe can have. */
  reservedNames?: readonly string[];
  /** Called with the recipes of each load that has changed something. */
  onChange?: (recipes: readonly FileRecipe[]) => void;
};

/** Creates what loads the recipes of a folder. Nothing is read before the first call. */
export const createRecipeFiles = (
  folder: string | undefined,
  options: RecipeFilesOptions = {},
): RecipeFiles => {
  const { reservedNames = [], onChange, firstLoadMs, retryMs } = { ...LIMITS, ...options };
  let known: KnownFiles = { files: new Map(), recipes: [] };
  let last: Promise<void> | undefined;
  let first: Promise<void> | undefined;
  const run = async (isForced: boolean): Promise<void> => {
    if (folder === undefined) return;
    const before = known.recipes;
    known = await loadFolder(folder, known, { isForced, retryMs, reservedNames }).catch(
      (error: unknown) => ({
        files: known.files,
        recipes: [{ file: folder, problem: { file: folder, message: getErrorMessage(error) } }],
      }),
    );
    if (known.recipes !== before) onChange?.(known.recipes);
  };
  /** One after another, as each begins with what the one before has found. */
  const load = (isForced: boolean): Promise<void> => {
    last = (last ?? Promise.resolve()).then(() => run(isForced));
    first ??= Promise.race([last, setTimeout(firstLoadMs, undefined, { ref: false })]);
    return last;
  };
  return {
    id: randomUUID(),
    folder,
    list: async () => {
      const loading = first ?? load(false);
      // Set by now, and limited.
      await (first ?? loading);
      return known.recipes;
    },
    reload: () => load(true),
    refresh: () => load(false),
  };
};

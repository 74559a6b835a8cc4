import type { RecipeRow } from "@/server/db/settings/recipe-reads";
import { loadDeclared } from "@/server/recipes/declared-recipe";
import type { FileRecipe } from "@/server/recipes/files/load-folder";
import type { LoadedRecipe } from "@/server/recipes/loaded-recipe";
import { createRecipeTool } from "@/server/recipes/recipe-tool";
import type { RecipeDeps } from "@/server/recipes/run-recipe";
import type { Tool } from "@/server/tools/tool";

type ListerDeps = {
  /** Declared recipes. Does not reject. */
  listRows: () => Promise<readonly RecipeRow[]>;
  /** Recipes of files. Does not reject. */
  listFiles: () => Promise<readonly FileRecipe[]>;
  deps: RecipeDeps;
  /** Why this process must not use the files of chats, as a sentence. */
  workspacesProblem: string | undefined;
};

type Listed = {
  rows: readonly RecipeRow[];
  files: readonly FileRecipe[];
  tools: readonly Tool[];
};

/** Creates a function that lists recipes as tools, made once for each state of recipes. Does not reject. */
export const createRecipeLister = ({ listRows, listFiles, ...deps }: ListerDeps) => {
  let listed: Listed | undefined;
  return async (): Promise<readonly Tool[]> => {
    const [rows, files] = await Promise.all([listRows(), listFiles()]);
    if (listed?.rows !== rows || listed.files !== files) {
      listed = { rows, files, tools: createTools(rows, files, deps) };
    }
    return listed.tools;
  };
};

/** Recipes of files come first, and replace declared ones of the same name. */
const createTools = (
  rows: readonly RecipeRow[],
  files: readonly FileRecipe[],
  deps: ToolDeps,
): Tool[] => {
  const fromFiles = files.flatMap((file) =>
    "loaded" in file ? [createTool(file.loaded, true, deps)] : [],
  );
  const names = new Set(fromFiles.map(({ name }) => name));
  const declared = rows.filter(({ name }) => !names.has(name));
  return [
    ...fromFiles,
    ...declared.map((row) => createTool(loadRow(row), row.declaration.enabled, deps)),
  ];
};

/** A call that waits keeps its recipe. */
const loadedRecipes = new WeakMap<RecipeRow, LoadedRecipe>();

const loadRow = (row: RecipeRow): LoadedRecipe => {
  const loaded = loadedRecipes.get(row) ?? loadDeclared(row.declaration);
  loadedRecipes.set(row, loaded);
  return loaded;
};

const SWITCHED_OFF = "An administrator has switched this recipe off.";

type ToolDeps = Pick<ListerDeps, "deps" | "workspacesProblem">;

const createTool = (
  loaded: LoadedRecipe,
  isEnabled: boolean,
  { deps, workspacesProblem }: ToolDeps,
): Tool => {
  const tool = createRecipeTool(loaded, deps);
  const isOfChat = loaded.recipe.opts?.workspace === "chat";
  return {
    ...tool,
    unavailable: isEnabled
      ? ((isOfChat ? workspacesProblem : undefined) ?? tool.unavailable)
      : SWITCHED_OFF,
  };
};

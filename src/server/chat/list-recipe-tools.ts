import type { RecipeRow } from "@/server/db/recipe-reads";
import { loadDeclared } from "@/server/tools/recipes/declared-recipe";
import type { LoadedRecipe } from "@/server/tools/recipes/loaded-recipe";
import { createRecipeTool } from "@/server/tools/recipes/recipe-tool";
import type { RecipeDeps } from "@/server/tools/recipes/run-recipe";
import type { Tool } from "@/server/tools/tool";

type ListerDeps = {
  deps: RecipeDeps;
  /** Why this process must not use the files of chats, as a sentence. */
  workspacesProblem: () => string | undefined;
};

/** Creates a function that lists recipes as tools, made once for each list of recipes. Does not reject. */
export const createRecipeLister = (
  listRows: () => Promise<readonly RecipeRow[]>,
  deps: ListerDeps,
) => {
  const known = new WeakMap<readonly RecipeRow[], readonly Tool[]>();
  return async (): Promise<readonly Tool[]> => {
    const rows = await listRows();
    const tools = known.get(rows) ?? rows.map((row) => createTool(row, deps));
    known.set(rows, tools);
    return tools;
  };
};

const KEY = Symbol.for("parley.loaded-recipes");

/** On `globalThis`, as a call that waits keeps its recipe, and routes are bundled apart from the worker. */
const loadedRecipes = (): WeakMap<RecipeRow, LoadedRecipe> => {
  const holder = globalThis as { [KEY]?: WeakMap<RecipeRow, LoadedRecipe> };
  return (holder[KEY] ??= new WeakMap<RecipeRow, LoadedRecipe>());
};

const loadRow = (row: RecipeRow): LoadedRecipe => {
  const loaded = loadedRecipes().get(row) ?? loadDeclared(row.declaration);
  loadedRecipes().set(row, loaded);
  return loaded;
};

const SWITCHED_OFF = "An administrator has switched this recipe off.";

const createTool = (row: RecipeRow, { deps, workspacesProblem }: ListerDeps): Tool => {
  const tool = createRecipeTool(loadRow(row), deps);
  const isOfChat = row.declaration.opts?.workspace === "chat";
  return {
    ...tool,
    unavailable: () => {
      if (!row.declaration.enabled) return SWITCHED_OFF;
      return (isOfChat ? workspacesProblem() : undefined) ?? tool.unavailable();
    },
  };
};

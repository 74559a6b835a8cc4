import { v7 as newId } from "uuid";
import { appAuth } from "@/server/auth/auth-services";
import { createAppTools } from "@/server/chat/app-tools";
import { createAppWorkspaces } from "@/server/chat/app-workspaces";
import { env } from "@/server/env";
import { appSandbox } from "@/server/exec/app-sandbox";
import { log } from "@/server/log";
import { appModels } from "@/server/model/app-models";
import { appRecipeFiles } from "@/server/chat/app-recipe-files";
import { type Api, createApi } from "./create-api";

const KEY = Symbol.for("parley.api");

/** Returns the process's API. A property of `globalThis`, because routes are bundled separately. */
export const appApi = (): Api => {
  const holder = globalThis as { [KEY]?: Api };
  return (holder[KEY] ??= createAppApi());
};

const createAppApi = (): Api => {
  const auth = appAuth();
  const { db } = auth;
  const { dataDir, workspacesMaxMegabytes, recipesDir } = env();
  const recipeFiles = appRecipeFiles(recipesDir);
  const workspaces = createAppWorkspaces({ db, dataDir, maxMegabytes: workspacesMaxMegabytes });
  const { sources, recipes } = createAppTools({
    ...{ db, workspaces, newId, web: env(), recipeFiles },
    ...{ sandbox: appSandbox, sessions: undefined },
  });
  return createApi({
    auth,
    toolSources: sources,
    recipes,
    recipeFiles,
    models: appModels(),
    log: log(),
  });
};

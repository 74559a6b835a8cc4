import { v7 as newId } from "uuid";
import { appAuth } from "@/server/auth/auth-services";
import { appMcpServers } from "@/server/app/app-mcp-servers";
import { createAppTools } from "@/server/app/app-tools";
import { createAppWorkspaces } from "@/server/app/app-workspaces";
import { env } from "@/server/env";
import { appSandbox } from "@/server/exec/sandbox/app-sandbox";
import { log } from "@/server/log";
import { appModels } from "@/server/model/catalog/app-models";
import { appRecipeFiles } from "@/server/app/app-recipe-files";
import { type Api, createApi } from "./create-api";
import { takeProcessApi } from "./process-api";

/** Returns the process's API. */
export const appApi = (): Api => takeProcessApi(createAppApi);

const createAppApi = (): Api => {
  const auth = appAuth();
  const { db } = auth;
  const { dataDir, workspacesMaxMegabytes, recipesDir, agentLimits } = env();
  const recipeFiles = appRecipeFiles(recipesDir);
  const workspaces = createAppWorkspaces({ db, dataDir, maxMegabytes: workspacesMaxMegabytes });
  const mcp = appMcpServers();
  if (!mcp) throw new Error("the process has not been started");
  const { sources, recipes } = createAppTools({
    db,
    workspaces,
    newId,
    web: env(),
    recipeFiles,
    mcp: appMcpServers,
    sandbox: appSandbox,
    sessions: undefined,
    agentLimits,
  });
  return createApi({
    auth,
    toolSources: sources,
    recipes,
    recipeFiles,
    mcp,
    models: appModels(),
    log: log(),
  });
};

import type { AgentLimits } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import type { SettingCaches } from "@/server/db/settings/setting-caches";
import { listStartedSessions } from "@/server/db/tasks/exec-session-reads";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import { createTools, type ToolDeps } from "./tool-registry";
import type { SaveArtifact } from "@/server/tools/tool-context";
import { listExploreTools, type Tool } from "@/server/tools/tool";
import { createToolSources, type ToolSource } from "@/server/tools/tool-source";
import { createWebDeps, type WebSettings } from "@/server/tools/web/web-deps";
import type { MessageFileDeps } from "@/server/turn/prompt/message-files";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
import { createMcpLister } from "@/server/mcp/tools/mcp-lister";
import type { McpServers } from "@/server/mcp/mcp-servers";
import { createFetchPage, createOpenProxy } from "@/server/recipes/fetch-page";
import type { RecipeFiles } from "@/server/recipes/files/recipe-files";
import type { RecipeDeps } from "@/server/recipes/run-recipe";
import { createAgentToolDeps } from "@/server/agents/agent-tool-deps";
import { createArtifactDeps } from "./artifact-deps";
import { createMessageFileDeps } from "./message-file-deps";
import { createRecipeLister } from "./list-recipe-tools";
import { createToolsetLister } from "./list-toolset-tools";
import { createTaskDeps } from "@/server/chat/manage-tasks";

/** The tools of a process, and what running them needs. */
export type AppTools = {
  sources: readonly ToolSource[];
  /** Lists recipes as tools. Does not reject. */
  listRecipes: () => Promise<readonly Tool[]>;
  /** For calls outside of chats. */
  recipes: RecipeDeps;
  saveArtifact: SaveArtifact;
  openArtifact: ArtifactDeps["openArtifact"];
  /** What models get of the files of messages. */
  files: MessageFileDeps;
};

type AppToolsDeps = Pick<ToolDeps, "sandbox" | "budget" | "sessions" | "workspacesProblem"> & {
  db: Database;
  cached: Pick<SettingCaches, "recipes" | "agentTypes" | "toolsets" | "presentToolsets">;
  workspaces: Workspaces;
  newId: () => string;
  agentLimits: AgentLimits;
  web: WebSettings;
  recipeFiles: RecipeFiles;
  mcp: Pick<McpServers, "listLinks">;
};

/** Creates the tools of the process, once: new chats and turns must name the same ones. */
export const createAppTools = (app: AppToolsDeps): AppTools => {
  const { db, cached, workspaces, workspacesProblem, sandbox, budget, sessions, newId } = app;
  const { agentLimits, web, recipeFiles, mcp } = app;
  const artifacts = createArtifactDeps({ db, newId });
  const deps: ToolDeps = {
    ...artifacts,
    ...createWebDeps(web),
    ...createTaskDeps({ db, newId }),
    ...createAgentToolDeps({
      db,
      newId,
      agentLimits,
      agentTypes: cached.agentTypes,
      exploreTools: () => listExploreTools(builtinTools),
    }),
    openWorkspace: workspaces.open,
    workspacesProblem,
    sandbox,
    budget,
    sessions,
    listStartedSessions: (chatId) => listStartedSessions(db, chatId),
  };
  const builtinTools: readonly Tool[] = Object.values(createTools(deps));
  const recipes: RecipeDeps = {
    sandbox,
    budget,
    fetchPage: createFetchPage(web.port),
    openProxy: createOpenProxy(web.port),
    openWorkspace: workspaces.open,
    openShare: workspaces.openShare,
  };
  const listRecipes = createRecipeLister({
    listRows: cached.recipes.get,
    listFiles: recipeFiles.list,
    deps: recipes,
    workspacesProblem,
  });
  return {
    sources: createToolSources(builtinTools, {
      recipe: listRecipes,
      mcp: createMcpLister(mcp, artifacts),
      toolset: createToolsetLister({
        listRows: cached.toolsets.get,
        listPresent: cached.presentToolsets.get,
      }),
    }),
    listRecipes,
    recipes: { ...recipes, openWorkspace: undefined },
    ...artifacts,
    files: createMessageFileDeps({ db, openWorkspace: workspaces.open }),
  };
};

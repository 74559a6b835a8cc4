import type { AgentLimits } from "@/contract/limits";
import type { Database } from "@/server/db/database";
import { recentRecipes } from "@/server/db/recipe-reads";
import { listStartedSessions } from "@/server/db/exec-session-reads";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import { createTools, type ToolDeps } from "@/server/tools/registry";
import type { SaveArtifact } from "@/server/tools/tool-context";
import { createToolSources, type ToolSource } from "@/server/tools/tool-source";
import { createWebDeps, type WebSettings } from "@/server/tools/web/web-deps";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
import { createMcpLister } from "@/server/tools/mcp/list-mcp-tools";
import type { McpServers } from "@/server/tools/mcp/mcp-servers";
import { createFetchPage, createOpenProxy } from "@/server/tools/recipes/fetch-page";
import type { RecipeFiles } from "@/server/tools/recipes/files/recipe-files";
import type { RecipeDeps } from "@/server/tools/recipes/run-recipe";
import { createAgentToolDeps } from "./agents/agent-tool-deps";
import { createArtifactDeps } from "./artifact-deps";
import { workspacesProblem } from "./check-workspaces";
import { type ClosedCall, exitClosedCalls } from "./exit-calls";
import { createRecipeLister } from "./list-recipe-tools";
import { createTaskDeps } from "./manage-tasks";
import { createRunningSteps, type RunningSteps } from "./running-steps";

/** The tools of a process, and what running them needs. */
export type AppTools = {
  sources: readonly ToolSource[];
  /** For calls outside of chats. */
  recipes: RecipeDeps;
  saveArtifact: SaveArtifact;
  openArtifact: ArtifactDeps["openArtifact"];
  runningSteps: RunningSteps;
};

type AppToolsDeps = Pick<ToolDeps, "sandbox" | "sessions"> & {
  db: Database;
  workspaces: Workspaces;
  newId: () => string;
  agentLimits: AgentLimits;
  web: WebSettings;
  recipeFiles: RecipeFiles;
  /** Undefined until the process has been started. */
  mcp: () => McpServers | undefined;
};

/** Creates the sources of tools for turns and for new chats, which must name the same tools. */
export const createAppTools = (app: AppToolsDeps): AppTools => {
  const { db, workspaces, sandbox, sessions, newId, agentLimits, web, recipeFiles, mcp } = app;
  const runningSteps = createRunningSteps();
  const artifacts = createArtifactDeps({ db, newId });
  const exitCalls = (calls: readonly ClosedCall[]) => exitClosedCalls(sources, calls);
  const deps: ToolDeps = {
    ...artifacts,
    ...createWebDeps(web),
    ...createTaskDeps({ db, newId, exitCalls }),
    ...createAgentToolDeps({ db, newId, agentLimits, exitCalls, runningSteps }),
    advise: (question, call) => runningSteps.find(call.messageId)?.advise?.(question, call),
    openWorkspace: workspaces.open,
    workspacesProblem: () => workspacesProblem(db).sentence,
    sandbox,
    sessions,
    listStartedSessions: (chatId) => listStartedSessions(db, chatId),
  };
  const recipes: RecipeDeps = {
    sandbox,
    fetchPage: createFetchPage(web.port),
    openProxy: createOpenProxy(web.port),
    openWorkspace: workspaces.open,
  };
  const sources = createToolSources(
    Object.values(createTools(deps)),
    createRecipeLister({
      listRows: () => recentRecipes(db),
      listFiles: recipeFiles.list,
      deps: recipes,
      workspacesProblem: deps.workspacesProblem,
    }),
    createMcpLister(mcp, artifacts),
  );
  return {
    sources,
    recipes: { ...recipes, openWorkspace: undefined },
    runningSteps,
    ...artifacts,
  };
};

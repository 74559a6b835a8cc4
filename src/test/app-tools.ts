import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { type AppTools, createAppTools } from "@/server/app/app-tools";
import { createAppWorkspaces } from "@/server/app/app-workspaces";
import type { Database } from "@/server/db/connection/database";
import { testProcess } from "./test-process";
import { NO_MCP_SERVERS, NO_RECIPE_FILES, noCommands, WEB_SETTINGS } from "./tool-fixture";

/** The tools of a process that runs no commands, with workspaces in a directory of the test. */
export const createTestTools = (db: Database, dataDir: string): AppTools =>
  createAppTools({
    db,
    cached: testProcess(db).cached,
    workspacesProblem: undefined,
    newId,
    agentLimits: DEFAULT_AGENT_LIMITS,
    workspaces: createAppWorkspaces({ db, dataDir, maxMegabytes: 1 }),
    ...noCommands,
    web: WEB_SETTINGS,
    recipeFiles: NO_RECIPE_FILES,
    mcp: NO_MCP_SERVERS,
  });

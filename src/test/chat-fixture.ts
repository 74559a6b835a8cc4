import { v7 as newId } from "uuid";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { createToolSources } from "@/server/tools/tool-source";
import { createUser } from "./factories";
import { testProcess } from "./test-process";
import { NO_MCP_SERVERS } from "./mcp-fixture";
import { builtinTools, NO_COMMANDS_FOR_RECIPES, NO_RECIPE_FILES } from "./tool-fixture";
import { NO_PROVIDERS } from "./wire-model";

/** Creates a new user and the context of the user's verbs. */
export const createTestContext = async (db: Database): Promise<ServerContext> =>
  createContext(db, await createUser(db));

/** Creates the context of a user's verbs. */
export const createContext = (db: Database, userId: string): ServerContext => ({
  db,
  cached: testProcess(db).cached,
  recent: testProcess(db).recent,
  actor: { userId, role: "member", credential: { type: "session", id: "test" } },
  newId,
  toolSources: createToolSources(builtinTools),
  models: createModelRegistry(NO_PROVIDERS),
  recipes: NO_COMMANDS_FOR_RECIPES,
  recipeFiles: NO_RECIPE_FILES,
  mcp: NO_MCP_SERVERS,
  push: testProcess(db).push,
  importLimits: testProcess(db).importLimits,
  temporaryChatHours: testProcess(db).temporaryChatHours,
});

/** Converts a text to the content of a user's message. */
export const toTextContent = (text: string) => [{ type: "text" as const, text }];

import { v7 as newId } from "uuid";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/database";
import { createToolSources } from "@/server/tools/tool-source";
import { createUser } from "./factories";
import { builtinTools } from "./tool-fixture";

/** A verb's context of a new user. */
export const testContext = async (db: Database): Promise<ServerContext> =>
  contextOf(db, await createUser(db));

/** A verb's context of a user. */
export const contextOf = (db: Database, userId: string): ServerContext => ({
  db,
  actor: { userId, role: "member", apiKeyId: null },
  newId,
  toolSources: createToolSources(builtinTools),
});

/** One text part, as a user's message. */
export const textContent = (text: string) => [{ type: "text" as const, text }];

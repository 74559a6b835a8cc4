import { v7 as newId } from "uuid";
import type { Actor, ServerContext } from "@/server/context";

/** Creates the context in which the verbs of one request run. */
export const createServerContext = (
  { db, toolSources }: Pick<ServerContext, "db" | "toolSources">,
  actor: Actor,
): ServerContext => ({ db, actor, newId, toolSources });

import { v7 as newId } from "uuid";
import type { Actor, ServerContext } from "@/server/context";

/** What verbs get to work with on behalf of one request's actor. */
export const createServerContext = (
  { db, toolSources }: Pick<ServerContext, "db" | "toolSources">,
  actor: Actor,
): ServerContext => ({ db, actor, newId, toolSources });

import { v7 as newId } from "uuid";
import type { Actor, ServerContext } from "@/server/context";
import type { Database } from "@/server/db/database";

/** What verbs get to work with on behalf of one request's actor. */
export const createServerContext = (db: Database, actor: Actor): ServerContext => ({
  db,
  actor,
  newId,
});

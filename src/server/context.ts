import type { Database } from "@/server/db/database";
import type { Viewer } from "@/server/db/viewer";
import type { ToolSource } from "@/server/tools/tool-source";

/** Who does something: a person signed in to the browser, or a program with a key. */
export type Actor = Viewer & {
  /** `owner` is the administrator. */
  role: "owner" | "member";
  /** The key that the request carried; null for a session. */
  apiKeyId: string | null;
};

/** What a verb may touch. */
export type ServerContext = {
  db: Database;
  actor: Actor;
  /** A UUIDv7. */
  newId: () => string;
  /** Where the tools of chats come from. */
  toolSources: readonly ToolSource[];
};

/** How an actor is written in the database: a user's id, or `api_key:<id>`. */
export const actorId = (actor: Actor): string =>
  actor.apiKeyId === null ? actor.userId : `api_key:${actor.apiKeyId}`;

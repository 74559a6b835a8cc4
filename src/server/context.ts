import type { ApiKeyScope, KeyRestriction } from "@/contract/api-key";
import type { Database } from "@/server/db/connection/database";
import type { RecentChanges } from "@/server/db/chats/recent-changes";
import type { Viewer } from "@/server/db/chats/viewer";
import type { ClaimNew } from "@/server/db/sql/machine/claim";
import type { SettingCaches } from "@/server/db/settings/setting-caches";
import type { ModelRegistry } from "@/server/model/catalog/model-registry";
import type { Push } from "@/server/push/push";
import type { RecipeFiles } from "@/server/recipes/files/recipe-files";
import type { McpServers } from "@/server/mcp/mcp-servers";
import type { RecipeDeps } from "@/server/recipes/run-recipe";
import type { ToolSource } from "@/server/tools/tool-source";

/** What a request is authenticated with. */
export type Credential =
  | { type: "session"; id: string }
  | {
      type: "api_key";
      id: string;
      scopes: readonly ApiKeyScope[];
      only: KeyRestriction | null;
      expiresAt: Date | null;
      /** For a token that a key has made; the rest is what both allow. */
      token?: { id: string; origin: string | null };
    };

/** Who does something: a person signed in to the browser, or a program with a key. */
export type Actor = Viewer & {
  /** `owner` is the administrator. */
  role: "owner" | "member";
  credential: Credential;
};

/** What a verb may touch. */
export type ServerContext = {
  db: Database;
  cached: SettingCaches;
  recent: RecentChanges;
  actor: Actor;
  /** A UUIDv7. */
  newId: () => string;
  /** Where the tools of chats come from. */
  toolSources: readonly ToolSource[];
  models: ModelRegistry;
  /** What recipes run with once, outside of chats. */
  recipes: RecipeDeps;
  /** The recipes of files, as this process has loaded them. */
  recipeFiles: RecipeFiles;
  /** The MCP servers of this process. */
  mcp: McpServers;
  /** Largest archive of an import, and largest size of its documents, unpacked, in bytes. */
  importLimits: { maxBytes: number; maxUnpackedBytes: number };
  /** How long a temporary chat is kept after its last change. */
  temporaryChatHours: number;
  /** Of the worker of this process; undefined without one, and where what is written is committed later. */
  claimNew?: ClaimNew | undefined;
  /** Of a request that streams the chat that it makes; opened before that is inserted. */
  newChat?: { open: (chatId: string) => void } | undefined;
  /** Notifications of browsers. */
  push: Pick<Push, "readPublicKey" | "sendTest">;
};

/** How an actor is written in the database: a user's id, or `api_key:<id>`. */
export const actorId = ({ userId, credential }: Actor): string =>
  credential.type === "session" ? userId : `api_key:${credential.id}`;

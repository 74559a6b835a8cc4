import type { Logger } from "pino";
import type { AgentLimits } from "@/contract/limits";
import type { HeldCalls } from "@/server/chat/held-calls";
import type { TaskRuns } from "@/server/chat/task-runs";
import type { Database } from "@/server/db/database";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { ModelRegistry } from "@/server/model/model-registry";
import type { PreviewRelay } from "@/server/stream/preview";
import type { RecipeFiles } from "@/server/tools/recipes/files/recipe-files";
import type { McpServers } from "@/server/tools/mcp/mcp-servers";
import type { WebSettings } from "@/server/tools/web/web-deps";
import type { ToolDeps } from "@/server/tools/registry";
import type { Workspaces } from "@/server/tools/workspace/workspaces";

/** Dependencies that all turns of a process share. */
export type ProcessDeps = Pick<ToolDeps, "sandbox" | "sessions"> & {
  /** Calls that wait for a person. */
  heldCalls: HeldCalls;
  /** Work that goes on after its calls. */
  tasks: TaskRuns;
  db: Database;
  relay: PreviewRelay;
  models: ModelRegistry;
  workspaces: Workspaces;
  web: WebSettings;
  recipeFiles: RecipeFiles;
  mcp: () => McpServers | undefined;
  agentLimits: AgentLimits;
  newId: () => string;
  meter: TurnMeter;
  log: Logger;
};

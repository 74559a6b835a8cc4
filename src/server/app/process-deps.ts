import type { Logger } from "pino";
import type { AgentLimits } from "@/contract/limits";
import type { HeldCalls } from "@/server/turn/held-calls";
import type { TaskRuns } from "@/server/tasks/task-runs";
import type { Database } from "@/server/db/connection/database";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { ModelRegistry } from "@/server/model/catalog/model-registry";
import type { PreviewRelay } from "@/server/stream/preview";
import type { RecipeFiles } from "@/server/recipes/files/recipe-files";
import type { McpServers } from "@/server/mcp/mcp-servers";
import type { WebSettings } from "@/server/tools/web/web-deps";
import type { ToolDeps } from "./tool-registry";
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

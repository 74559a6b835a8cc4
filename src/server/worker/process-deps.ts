import type { Logger } from "pino";
import type { Database } from "@/server/db/database";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { ModelRegistry } from "@/server/model/model-registry";
import type { PreviewRelay } from "@/server/stream/preview";
import type { Workspaces } from "@/server/tools/workspaces";

/** Dependencies that all turns of a process share. */
export type ProcessDeps = {
  db: Database;
  relay: PreviewRelay;
  models: ModelRegistry;
  workspaces: Workspaces;
  newId: () => string;
  meter: TurnMeter;
  log: Logger;
};

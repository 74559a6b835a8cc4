import type { EndedTaskState, TaskKind } from "@/contract/task-state";
import type { Database } from "@/server/db/connection/database";
import type { MessageRow } from "@/server/db/chats/rows";
import { listDeliveryTimes } from "@/server/db/tasks/task-reads";
import { appMetrics } from "@/server/metrics/app-metrics";
import type { EndedWait } from "./end-waits";

/** Records the end of a task when it is committed. */
export const meterEnd = (task: { kind: TaskKind; state: EndedTaskState }): void =>
  appMetrics().record("taskEnds", task);

/** Records the ends of waits when they are committed. */
export const meterWaits = (waits: readonly EndedWait[]): void => {
  const { record } = appMetrics();
  for (const { endedBy, seconds } of waits) record("waitSeconds", { ended_by: endedBy }, seconds);
};

/** Records how long the reports of a committed message have waited. Does not reject. */
export const meterDelivery = async (
  db: Database,
  message: Pick<MessageRow, "parts"> | undefined,
): Promise<void> => {
  const taskIds = message?.parts.flatMap((part) =>
    part.type === "report" ? [part.data.task_id] : [],
  );
  if (!taskIds || taskIds.length === 0) return;
  // The reports are in the history, whether or not their times can be read.
  const deliveries = await listDeliveryTimes(db, taskIds).catch(() => []);
  const { record } = appMetrics();
  for (const { kind, seconds } of deliveries) record("deliverySeconds", { kind }, seconds);
};

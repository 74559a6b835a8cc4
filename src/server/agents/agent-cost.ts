import type { AgentLimits } from "@/contract/limits";
import { formatCost } from "@/lib/format";
import { sumAgentUsage } from "@/server/db/tasks/agent-reads";
import type { Queryable } from "@/server/db/connection/database";

/** What a model can do when the agents of its chat have cost what they may. */
export const COST_ADVICE =
  "Do the work here, or tell the user that the agents of this chat have reached the cost limit of the server.";

/** @returns what the agents of a root chat have cost and may cost, as part of a sentence; undefined while they may cost more. */
export const findExceededCost = async (
  db: Queryable,
  { rootChatId, costMicros }: Pick<AgentLimits, "costMicros"> & { rootChatId: string },
): Promise<string | undefined> => {
  if (costMicros === null) return undefined;
  const { cost_micros: cost } = await sumAgentUsage(db, rootChatId);
  return describeExceededCost(cost, costMicros);
};

/** Does the same for a cost that has been read. */
export const describeExceededCost = (
  cost: number,
  limit: AgentLimits["costMicros"],
): string | undefined =>
  limit === null || cost < limit
    ? undefined
    : `the agents of this chat have cost ${formatCost(cost)}, and may cost ${formatCost(limit)}`;

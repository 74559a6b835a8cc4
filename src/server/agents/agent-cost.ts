import type { ChatError } from "@/contract/chat-error";
import type { AgentLimits } from "@/contract/limits";
import { formatCost } from "@/lib/format";
import { sumAgentUsage } from "@/server/db/tasks/agent-reads";
import type { Database, Queryable } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";

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

/** Resolves the model of a chat for its next step, unless the chat is an agent and all agents have cost what they may. */
export const resolveWithinCost = async <Model>(
  { db, agentLimits }: { db: Database; agentLimits: AgentLimits },
  { parentChatId }: Pick<ChatRow, "parentChatId">,
  resolve: () => Promise<Model>,
): Promise<Model | { failure: ChatError }> => {
  const { costMicros } = agentLimits;
  const problem =
    parentChatId === null
      ? undefined
      : await findExceededCost(db, { rootChatId: parentChatId, costMicros });
  if (problem === undefined) return resolve();
  const message = `It reached a limit: ${problem}.`;
  return { failure: { kind: "quota", message, retryable: false } };
};

import type { Transaction } from "@/server/db/connection/database";
import { stopAgents } from "@/server/agents/direct-agents";
import { meterEnd } from "@/server/machine/meter-tasks";
import type { Applied } from "@/server/machine/change";

/** Stops the agents of calls that a transition of a locked chat has replaced. Their tasks have ended with it. */
export const stopCancelledAgents = async (
  tx: Transaction,
  { chat, cancelled: { agentIds: only } }: Applied,
  stopper: { newId: () => string; by: string },
): Promise<void> => {
  if (only.length > 0) await stopAgents(tx, chat, { ...stopper, only });
};

/** Records the tasks that a transition has cancelled when it is committed. */
export const meterCancelled = ({ cancelled }: Applied): void => {
  for (const kind of cancelled.kinds) meterEnd({ kind, state: "cancelled" });
};

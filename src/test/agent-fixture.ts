import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { lockRoot, startAgentsIn } from "@/server/agents/start-agent";
import type { Database } from "@/server/db/connection/database";
import { SHIPPED_AGENT_TYPES } from "./tool-fixture";

/** Starts an agent of a chat, as a call of its model does, also of a chat that rests. @returns its id. */
export const startTestAgent = async (
  db: Database,
  { chatId, title = "Compare" }: { chatId: string; title?: string },
): Promise<string> => {
  const input = { prompt: `${title}.`, title };
  const types = SHIPPED_AGENT_TYPES.agent_types;
  const deps = { newId, agentLimits: DEFAULT_AGENT_LIMITS };
  const {
    outcomes: [outcome],
  } = await db.transaction(async (tx) => {
    const root = await lockRoot(tx, chatId);
    const { turnId } = root;
    const call = { chatId, turnId, messageId: newId(), toolCallId: "call_1", actor: "worker" };
    return startAgentsIn(tx, deps, { root, starts: [{ call, input, types }] });
  });
  if (outcome && "agent" in outcome) return outcome.agent.chat_id;
  throw outcome?.failure ?? new Error("the agent did not start");
};

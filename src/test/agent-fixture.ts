import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_TYPES } from "@/contract/agent-type";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { startAgent } from "@/server/chat/agents/start-agent";
import type { Database } from "@/server/db/database";
import { readChat } from "./chat-probe";

/** Starts an agent of a chat, as a call of its model does. @returns its id. */
export const startTestAgent = async (
  db: Database,
  { chatId, title = "Compare" }: { chatId: string; title?: string },
): Promise<string> => {
  const { turnId } = await readChat(db, chatId);
  const call = { chatId, turnId, messageId: newId(), toolCallId: "call_1", actor: "worker" };
  const input = { prompt: `${title}.`, title };
  const types = DEFAULT_AGENT_TYPES.agent_types;
  return (
    await startAgent({ db, newId, agentLimits: DEFAULT_AGENT_LIMITS }, { call, input, types })
  ).chat_id;
};

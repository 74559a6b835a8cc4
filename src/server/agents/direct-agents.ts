import { isBusy } from "@/contract/chat-status";
import { DomainError } from "@/contract/domain-error";
import { type AgentLimits, MAX_QUEUED_MESSAGES } from "@/contract/limits";
import { isUuid } from "@/lib/is-uuid";
import { countRunningAgents, findOpenAgentTask, listAgents } from "@/server/db/tasks/agent-reads";
import type { Database, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { lockChat, lockFamily } from "@/server/db/sql/machine/row-locks";
import { insertTask } from "@/server/db/sql/machine/task-writes";
import { COST_ADVICE, findExceededCost } from "./agent-cost";
import { findFamilyFiles, toAgentContent } from "./agent-files";
import { derivedUuid } from "./derived-uuid";
import type { AgentCall, AgentMessage, SentAgentMessage } from "@/server/agents/tools/agent-deps";
import { ToolFailure } from "@/server/tools/tool-result";
import { applyTransition } from "@/server/machine/transition";
import { lockRoot, requireTurn } from "./start-agent";

type Deps = { db: Database; newId: () => string };

type MessageDeps = Deps & { agentLimits: AgentLimits };

/**
 * Sends a message to an agent. One that rests gets a task again, whose report comes as that of the first one.
 *
 * @throws {ToolFailure} for an unknown agent or file, an agent that may not begin now or has a full queue, or when the
 *   call's turn is over.
 */
export const messageAgent = (
  { db, newId, agentLimits }: MessageDeps,
  { call, message }: { call: AgentCall; message: AgentMessage },
): Promise<SentAgentMessage> => {
  const sent = db.transaction(async (tx) => {
    const root = await lockRoot(tx, call.chatId);
    requireTurn(root, call);
    const agent = await lockAgent(tx, root, message.agentId);
    const { text, files: ids = [] } = message;
    const files = await findFamilyFiles(tx, root, ids);
    const content = toAgentContent({ text, ids }, files);
    if (content instanceof ToolFailure) throw content;
    const isWorking = isBusy(agent.status);
    // One that is queued has no turn yet, and would begin before its time.
    const doesInterrupt = isWorking && !agent.agentQueued && message.interrupt;
    const isAtWork = await findOpenAgentTask(tx, agent.id);
    if (!isAtWork) await checkLimits(tx, agentLimits, root);
    const taskId = isAtWork ? undefined : await beginTask(tx, { newId, call, root, agent });
    await applyTransition(tx, agent, {
      event: doesInterrupt ? "send_interrupt" : "send",
      newId,
      by: call.actor,
      closeReason: "superseded",
      message: { content, modelId: null },
    });
    return { delivery: toDelivery({ isWorking, doesInterrupt }), taskId };
  });
  return sent.catch((error: unknown) => {
    throw isQueueFull(error) ? createQueueFullFailure() : error;
  });
};

const toDelivery = ({
  isWorking,
  doesInterrupt,
}: Record<"isWorking" | "doesInterrupt", boolean>): SentAgentMessage["delivery"] => {
  if (doesInterrupt) return "interrupted";
  return isWorking ? "queued" : "started";
};

const isQueueFull = (error: unknown): boolean =>
  error instanceof DomainError && error.code === "limit_exceeded";

const createQueueFullFailure = (): ToolFailure =>
  new ToolFailure(
    `The message was not sent: ${MAX_QUEUED_MESSAGES} messages wait for the agent. Wait for it with wait_agent, or give the work to another one.`,
  );

const checkLimits = async (
  tx: Transaction,
  { running, costMicros }: AgentLimits,
  root: ChatRow,
): Promise<void> => {
  if ((await countRunningAgents(tx, root.id)) >= running) {
    throw new ToolFailure(
      `The message was not sent: ${running} agents work. Wait for one, or interrupt one.`,
    );
  }
  const cost = await findExceededCost(tx, { rootChatId: root.id, costMicros });
  if (cost !== undefined) {
    throw new ToolFailure(`The message was not sent: ${cost}. ${COST_ADVICE}`);
  }
};

/** Gives an agent that has ended a task for its next report. */
const beginTask = async (
  tx: Transaction,
  {
    newId,
    call,
    root,
    agent,
  }: { newId: () => string; call: AgentCall; root: ChatRow; agent: ChatRow },
): Promise<string> => {
  const id = derivedUuid("message", call.messageId, call.toolCallId);
  await insertTask(tx, {
    id,
    rootChatId: root.id,
    chatId: root.id,
    toolCallId: call.toolCallId,
    kind: "agent",
    label: agent.title,
    revision: root.version + 1,
    turnId: call.turnId,
    agentChatId: agent.id,
  });
  await applyTransition(tx, root, { event: "note_task", newId, ...BY_WORKER });
  return id;
};

const BY_WORKER = { by: "worker", closeReason: "superseded" } as const;

/** Locks an agent of a locked root chat. @throws {ToolFailure} for an id that it has no agent of. */
const lockAgent = async (tx: Transaction, root: ChatRow, agentId: string): Promise<ChatRow> => {
  const agent = isUuid(agentId) ? await lockChat(tx, agentId) : undefined;
  if (agent?.parentChatId === root.id) return agent;
  throw unknownAgents([agentId]);
};

/** Ids of other chats are like unknown ones. */
export const unknownAgents = (ids: readonly string[]): ToolFailure =>
  new ToolFailure(
    `This chat has no agent ${ids.map((id) => JSON.stringify(id)).join(", ")}. Call list_agents for those that it has.`,
  );

/**
 * Stops the turn of an agent. @returns false when it was idle.
 * @throws {ToolFailure} for an unknown agent.
 */
export const interruptAgent = (
  { db, newId }: Deps,
  { chatId, agentId, by }: { chatId: string; agentId: string; by: string },
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const root = await lockRoot(tx, chatId);
    return stopChatAgent(tx, root, { agentId, newId, by });
  });

/**
 * Stops an agent of a locked root chat. @returns false when the agent was idle.
 *
 * @throws {ToolFailure} for an unknown agent.
 */
export const stopChatAgent = async (
  tx: Transaction,
  root: ChatRow,
  { agentId, ...stopper }: Stopper & { agentId: string },
): Promise<boolean> => stopAgent(tx, await lockAgent(tx, root, agentId), stopper);

type Stopper = { newId: () => string; by: string };

/** @returns false when the agent was idle. */
const stopAgent = async (
  tx: Transaction,
  agent: ChatRow,
  { newId, by }: Stopper,
): Promise<boolean> => {
  if (!isBusy(agent.status)) return false;
  await applyTransition(tx, agent, { event: "interrupt", newId, by, closeReason: "interrupted" });
  return true;
};

/** Stops all agents of a locked root chat, or only some of them. */
export const stopAgents = async (
  tx: Transaction,
  root: ChatRow,
  { only, ...stopper }: Stopper & { only?: readonly string[] },
): Promise<void> => {
  // Nearly every chat has none.
  if ((await listAgents(tx, root.id, { limit: 1 })).length === 0) return;
  for (const agent of await lockFamily(tx, root.id)) {
    const isStopped = agent.id !== root.id && (only?.includes(agent.id) ?? true);
    if (isStopped) await stopAgent(tx, agent, stopper);
  }
};

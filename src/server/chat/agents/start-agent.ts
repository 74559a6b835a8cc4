import type { StartedAgent } from "@/contract/agent";
import type { AgentType } from "@/contract/agent-type";
import { type AgentLimits, DEFAULT_MAX_STEPS } from "@/contract/limits";
import { isUuid } from "@/lib/is-uuid";
import { countAgents, countAgentsOfTurn, listAgents } from "@/server/db/agent-reads";
import type { Database, Transaction } from "@/server/db/database";
import { readGroups } from "@/server/db/group-reads";
import type { ChatRow } from "@/server/db/rows";
import { insertAgentChat } from "@/server/db/sql/agent-starts";
import { lockChat } from "@/server/db/sql/chat-locks";
import { toViewer } from "@/server/db/viewer";
import { COST_ADVICE, findExceededCost } from "./agent-cost";
import { derivedUuid } from "./derived-uuid";
import type { AgentCall, NewAgent } from "@/server/tools/agents/agent-deps";
import { ToolFailure } from "@/server/tools/tool-result";
import { findChosenGroups, listChosenTools } from "@/server/chat/chosen-tools";
import { toInitialTitle } from "@/server/chat/initial-title";
import { applyTransition } from "@/server/chat/transition";

export type StartDeps = { db: Database; newId: () => string; agentLimits: AgentLimits };

const BY = { by: "worker", closeReason: "superseded" } as const;

/** What starts an agent. */
export type AgentStart = { call: AgentCall; input: NewAgent; types: readonly AgentType[] };

/** What became of a start; a failure has begun nothing. */
export type StartOutcome = { agent: StartedAgent } | { failure: ToolFailure };

/**
 * Starts agents of a chat in one transaction, in this order, each or not. An agent is a child chat with the prompt as its
 * first message, and a task of the root chat. Both have an id that is derived from the call, so that a call which is
 * repeated finds its agent.
 *
 * An outcome is a failure when there are too many, type or model are unknown, or the turn of the call is over.
 *
 * @throws {ToolFailure} when the chat may have no agents.
 */
export const startAgents = (
  deps: StartDeps,
  { chatId, starts }: { chatId: string; starts: readonly AgentStart[] },
): Promise<StartOutcome[]> =>
  deps.db.transaction(async (tx) => {
    const root = await lockRoot(tx, chatId);
    const going = starts.filter(({ call }) => isTurnOf(root, call));
    const outcomes = await startAgentsOf(tx, deps, { root, starts: going });
    return starts.map((start) => outcomes[going.indexOf(start)] ?? { failure: turnIsOver() });
  });

/** A call goes on for a moment after a person has stopped its turn or edited its message, and may begin nothing then. */
const isTurnOf = (root: ChatRow, { turnId }: AgentCall): boolean =>
  root.status === "running" && root.turnId === turnId;

const turnIsOver = (): ToolFailure =>
  new ToolFailure("The turn of the call is over, so that nothing was done.");

/** @throws {ToolFailure} when the turn of the call is over. */
export const requireTurn = (root: ChatRow, call: AgentCall): void => {
  if (!isTurnOf(root, call)) throw turnIsOver();
};

/** Does the same for a locked root chat, whether or not the turns of the calls go on. */
export const startAgentsOf = async (
  tx: Transaction,
  { newId, agentLimits }: Pick<StartDeps, "newId" | "agentLimits">,
  { root, starts }: { root: ChatRow; starts: readonly AgentStart[] },
): Promise<StartOutcome[]> => {
  const outcomes: (StartOutcome & { isNew?: boolean })[] = [];
  for (const [index, start] of starts.entries()) {
    // Agents are listed, and begin, in the order of these times.
    const ageMs = starts.length - 1 - index;
    outcomes.push(await startOne(tx, { ...start, root, newId, agentLimits, ageMs }));
  }
  if (outcomes.some(({ isNew }) => isNew)) {
    await applyTransition(tx, root, { event: "note_task", newId, ...BY });
  }
  return outcomes;
};

type OneStart = AgentStart &
  Pick<StartDeps, "newId" | "agentLimits"> & {
    root: ChatRow;
    /** How much older than the transaction it counts, in milliseconds. */
    ageMs: number;
  };

const startOne = async (
  tx: Transaction,
  start: OneStart,
): Promise<StartOutcome & { isNew?: boolean }> => {
  const { root, call, input, types, agentLimits } = start;
  const id = derivedUuid("agent", call.messageId, call.toolCallId);
  const type = findType(types, input.type);
  const agent = type && (await insertAgent(tx, { ...start, id, type }));
  if (agent) return { agent: toStarted(agent), isNew: true };
  const [existing] = await listAgents(tx, root.id, { ids: [id] });
  if (existing) return { agent: toStarted(existing) };
  const refusal = await findRefusal(tx, agentLimits, { root, turnId: call.turnId });
  return { failure: refusal ?? (type ? noModel(input) : unknownType(types, input)) };
};

const toStarted = ({
  id,
  title,
  agentType,
  agentQueued,
}: Pick<ChatRow, "id" | "title" | "agentType" | "agentQueued">): StartedAgent => ({
  ...{ chat_id: id, title, type: agentType ?? "", state: agentQueued ? "queued" : "running" },
});

/** Locks a chat that may have agents. @throws {ToolFailure} for another one. */
export const lockRoot = async (tx: Transaction, chatId: string): Promise<ChatRow> => {
  const chat = await lockChat(tx, chatId);
  if (!chat) throw new ToolFailure("The chat is gone, so that nothing was done.");
  if (chat.archivedAt !== null) {
    throw new ToolFailure("The chat is archived, so that nothing was done. Take it out first.");
  }
  if (chat.parentChatId !== null) {
    throw new ToolFailure("An agent has no agents of its own. Do the work here.");
  }
  return chat;
};

const findRefusal = async (
  tx: Transaction,
  { perChat, perTurn, costMicros }: AgentLimits,
  { root, turnId }: { root: ChatRow; turnId: string },
): Promise<ToolFailure | undefined> => {
  if ((await countAgents(tx, root.id)) >= perChat) {
    return new ToolFailure(
      `The agent was not started: a chat has at most ${perChat}. Give one that has ended more work with message_agent.`,
    );
  }
  if ((await countAgentsOfTurn(tx, { chatId: root.id, turnId })) >= perTurn) {
    return new ToolFailure(
      `The agent was not started: a turn starts at most ${perTurn}. Wait for those that work.`,
    );
  }
  const cost = await findExceededCost(tx, { rootChatId: root.id, costMicros });
  return cost === undefined
    ? undefined
    : new ToolFailure(`The agent was not started: ${cost}. ${COST_ADVICE}`);
};

const findType = (types: readonly AgentType[], name: string | undefined): AgentType | undefined =>
  name === undefined ? types[0] : types.find((each) => each.name === name);

const unknownType = (types: readonly AgentType[], { type }: NewAgent): ToolFailure => {
  const names = types.map((each) => each.name).join(", ");
  return new ToolFailure(
    `The agent was not started: there is no agent type ${JSON.stringify(type)}. Types: ${names}.`,
  );
};

const noModel = ({ modelId }: NewAgent): ToolFailure =>
  new ToolFailure(
    modelId === undefined
      ? "The agent was not started: there is no model."
      : `The agent was not started: there is no model ${JSON.stringify(modelId)} that can be used. Leave model_id out for the model of this chat.`,
  );

type AgentToInsert = OneStart & { id: string; type: AgentType };

/** @returns undefined when it is there, a limit is reached, or there is no model. */
const insertAgent = async (
  tx: Transaction,
  { id, newId, call, root, type, input, ageMs, agentLimits: limits }: AgentToInsert,
): Promise<ChatRow | undefined> => {
  const agent = {
    ...{ id, viewer: toViewer(root), messageId: newId(), turnId: newId(), createdBy: call.actor },
    title: input.title ?? toInitialTitle(input.prompt),
    ...{ texts: [input.prompt], systemPrompt: toSystemPrompt(type) },
    dynamicTools: type.inherit_dynamic_tools ? root.dynamicTools : [],
    toolNames: await findToolNames(tx, type, root),
    ...{ groupNames: [], labels: {}, warnings: [] },
    ...{ autoSubmitSuccess: true, autoSubmitError: true, wakeOnReports: true },
    actionTimeoutSeconds: root.actionTimeoutSeconds,
    maxSteps: type.max_steps ?? DEFAULT_MAX_STEPS,
    ...{ rootChatId: root.id, agentType: type.name, toolCallId: call.toolCallId },
    ...{ callTurnId: call.turnId, taskRevision: root.version + 1, ageMs },
  };
  for (const modelId of listModels(input, type, root)) {
    const inserted = await insertAgentChat(tx, { agent: { ...agent, modelId }, limits });
    if (inserted) return inserted;
  }
  return undefined;
};

/** A model that an administrator has taken away meanwhile is replaced, as in any chat; null is the default model. */
const listModels = (
  { modelId }: NewAgent,
  type: AgentType,
  root: ChatRow,
): readonly (string | null)[] => {
  if (modelId !== undefined) return isUuid(modelId) ? [modelId] : [];
  return [...[type.model_id, root.modelId].filter((each) => each !== null), null];
};

const toSystemPrompt = ({ prompt }: AgentType): string =>
  [
    "You are an agent that another chat has started for one piece of work. Nobody reads along, and you cannot ask back. Your last answer is your report: it is all that the other chat gets.",
    prompt,
  ]
    .filter(Boolean)
    .join("\n\n");

/** An agent has no tools that its chat has not chosen. */
const findToolNames = async (
  tx: Transaction,
  { tools }: AgentType,
  root: ChatRow,
): Promise<readonly string[] | null> => {
  const groups = root.groupNames.length > 0 ? await readGroups(tx) : [];
  const chosen = listChosenTools(root, findChosenGroups(root, groups));
  if (chosen === null) return tools;
  return tools === null ? [...chosen] : tools.filter((name) => chosen.has(name));
};

import type { StartedAgent } from "@/contract/agent";
import type { AgentType } from "@/contract/agent-type";
import { isUnavailable } from "@/contract/domain-error";
import { type AgentLimits, DEFAULT_MAX_STEPS } from "@/contract/limits";
import { isUuid } from "@/lib/is-uuid";
import { countAgents, countAgentsOfTurn, listAgents } from "@/server/db/tasks/agent-reads";
import type { Database, Queryable, Transaction } from "@/server/db/connection/database";
import { readGroups } from "@/server/db/settings/group-reads";
import type { ChatRow } from "@/server/db/chats/rows";
import {
  insertAgentChats,
  type InsertedAgent,
  type NewAgentChat,
  readRootChat,
} from "@/server/db/sql/machine/agent-starts";
import type { ClaimRoom } from "@/server/db/sql/machine/claim";
import { lockChat } from "@/server/db/sql/machine/chat-locks";
import { COST_ADVICE, findExceededCost } from "./agent-cost";
import { derivedUuid } from "./derived-uuid";
import type { AgentCall, NewAgent } from "@/server/agents/tools/agent-deps";
import { ToolFailure } from "@/server/tools/tool-result";
import { findChosenGroups, listChosenTools } from "@/server/settings/chosen-tools";
import { toInitialTitle } from "@/server/machine/initial-title";
import type { ClaimNew, RunningStep } from "./running-steps";

export type StartDeps = { db: Database; newId: () => string; agentLimits: AgentLimits };

/** What starts an agent. */
export type AgentStart = {
  call: AgentCall;
  input: NewAgent;
  types: readonly AgentType[];
  /** The step of the call, if this process runs it. */
  step?: Pick<RunningStep, "chat" | "claimNew"> | undefined;
};

/** What became of a start; a failure has begun nothing. */
export type StartOutcome = { agent: StartedAgent } | { failure: ToolFailure };

/**
 * Starts agents of a chat, in this order, each or not. An agent is a child chat with the prompt as its first message, and
 * a task of the root chat. Both have an id that is derived from the call, so that a call which is repeated finds its
 * agent.
 *
 * An outcome is a failure when there are too many, type or model are unknown, or the turn of the call is over.
 *
 * @throws {ToolFailure} when the chat may have no agents.
 */
export const startAgents = async (
  deps: StartDeps,
  { chatId, starts }: { chatId: string; starts: readonly AgentStart[] },
): Promise<StartOutcome[]> => {
  const [{ step } = {}] = starts;
  const root = requireRoot(step?.chat ?? (await readRootChat(deps.db, chatId)));
  const running = { root, starts: listRunning(root, starts) };
  const started = await insertClaimed(deps, running, step?.claimNew).catch(
    (error: unknown): Started => {
      if (!isUnavailable(error)) throw error;
      // They may have started, although the answer was lost, and are found under the lock then.
      return new Map();
    },
  );
  const outcomes = starts.flatMap((start) => started.get(start) ?? []);
  // The reasons why others did not start are found under the lock, as they may not hold any more.
  return outcomes.length === starts.length
    ? outcomes
    : deps.db.transaction(async (tx) => {
        const locked = await lockRoot(tx, chatId);
        const running = listRunning(locked, starts);
        const found = await startAgentsIn(tx, deps, { root: locked, starts: running });
        return starts.map((start) => found[running.indexOf(start)] ?? { failure: turnIsOver() });
      });
};

/** Inserts agents that the worker of their call takes at once, as far as it has room for them. */
const insertClaimed = async (
  deps: StartDeps,
  starts: Starts,
  claimNew: ClaimNew | undefined,
): Promise<Started> => {
  if (!claimNew) return toOutcomes(await insertAgents(deps.db, deps, starts));
  const inserted: InsertedAgents = new Map();
  await claimNew(starts.starts.length, async (room) => {
    for (const entry of await insertAgents(deps.db, deps, { ...starts, room }))
      inserted.set(...entry);
    return [...inserted.values()].flatMap(({ claimed }) => claimed ?? []);
  });
  return toOutcomes(inserted);
};

const listRunning = (root: ChatRow, starts: readonly AgentStart[]): AgentStart[] =>
  starts.filter(({ call }) => isInTurn(root, call));

/** A call goes on for a moment after a person has stopped its turn or edited its message, and may begin nothing then. */
const isInTurn = (root: ChatRow, { turnId }: AgentCall): boolean =>
  root.status === "running" && root.turnId === turnId;

const turnIsOver = (): ToolFailure =>
  new ToolFailure("The turn of the call is over, so that nothing was done.");

/** @throws {ToolFailure} when the turn of the call is over. */
export const requireTurn = (root: ChatRow, call: AgentCall): void => {
  if (!isInTurn(root, call)) throw turnIsOver();
};

/** Does the same for a locked root chat, whether or not the turns of the calls go on. */
export const startAgentsIn = async (
  tx: Transaction,
  deps: LimitedStart,
  { root, starts }: Starts,
): Promise<StartOutcome[]> => {
  const started = toOutcomes(await insertAgents(tx, deps, { root, starts }));
  const outcomes: StartOutcome[] = [];
  for (const start of starts) {
    outcomes.push(started.get(start) ?? (await explain(tx, deps, { root, start })));
  }
  return outcomes;
};

type LimitedStart = Pick<StartDeps, "newId" | "agentLimits">;
type Starts = { root: ChatRow; starts: readonly AgentStart[] };
type InsertedAgents = Map<AgentStart, InsertedAgent>;
type Started = Map<AgentStart, StartOutcome>;

const toOutcomes = (inserted: InsertedAgents): Started =>
  new Map([...inserted].map(([start, agent]) => [start, { agent: toStarted(agent) }]));

/** Finds the agent of a call that is repeated, or why it has none. */
const explain = async (
  tx: Transaction,
  { agentLimits }: LimitedStart,
  { root, start: { call, input, types } }: { root: ChatRow; start: AgentStart },
): Promise<StartOutcome> => {
  const [existing] = await listAgents(tx, root.id, { ids: [toAgentId(call)] });
  if (existing) return { agent: toStarted(existing) };
  const refusal = await findRefusal(tx, agentLimits, { root, turnId: call.turnId });
  const isKnown = findType(types, input.type) !== undefined;
  return { failure: refusal ?? (isKnown ? noModel(input) : unknownType(types, input)) };
};

const toAgentId = ({ messageId, toolCallId }: AgentCall): string =>
  derivedUuid("agent", messageId, toolCallId);

const toStarted = ({
  id,
  title,
  agentType,
  agentQueued,
}: Pick<ChatRow, "id" | "title" | "agentType" | "agentQueued">): StartedAgent => ({
  chat_id: id,
  title,
  type: agentType ?? "",
  state: agentQueued ? "queued" : "running",
});

/** Locks a chat that may have agents. @throws {ToolFailure} for another one. */
export const lockRoot = async (tx: Transaction, chatId: string): Promise<ChatRow> =>
  requireRoot(await lockChat(tx, chatId));

/** @throws {ToolFailure} for a chat that may have no agents. */
const requireRoot = (chat: ChatRow | undefined): ChatRow => {
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

/** Workers take the agents when they are committed. */
const NO_ROOM: ClaimRoom = { owner: "", limit: 0, full: [] };

/** @returns the agents that have started; others are there, a limit is reached, or their type or model is unknown. */
const insertAgents = async (
  db: Queryable,
  { newId, agentLimits: limits }: LimitedStart,
  { root, starts, room = NO_ROOM }: Starts & { room?: ClaimRoom },
): Promise<InsertedAgents> => {
  const byId = new Map(starts.map((start) => [toAgentId(start.call), start]));
  const agents: NewAgentChat[] = [];
  for (const [id, { call, input, types }] of byId) {
    const type = findType(types, input.type);
    if (!type) continue;
    agents.push({
      id,
      messageId: newId(),
      turnId: newId(),
      createdBy: call.actor,
      title: input.title ?? toInitialTitle(input.prompt),
      prompt: input.prompt,
      systemPrompt: toSystemPrompt(type),
      modelIds: listModels(input, type, root),
      inheritsDynamicTools: type.inherit_dynamic_tools,
      toolNames: await findToolNames(db, type, root),
      maxSteps: type.max_steps ?? DEFAULT_MAX_STEPS,
      agentType: type.name,
      toolCallId: call.toolCallId,
    });
  }
  const inserted: InsertedAgents = new Map();
  for (const agent of await insertAgentChats(db, { root, agents, limits, room })) {
    const start = byId.get(agent.id);
    if (start) inserted.set(start, agent);
  }
  return inserted;
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
  db: Queryable,
  { tools }: AgentType,
  root: ChatRow,
): Promise<readonly string[] | null> => {
  const groups = root.groupNames.length > 0 ? await readGroups(db) : [];
  const chosen = listChosenTools(root, findChosenGroups(root, groups));
  if (chosen === null) return tools;
  return tools === null ? [...chosen] : tools.filter((name) => chosen.has(name));
};

import type { AgentType } from "@/contract/agent-type";
import type { ChatDynamicTool, DynamicTool } from "@/contract/dynamic-tool";
import { type AgentLimits, DEFAULT_MAX_STEPS } from "@/contract/limits";
import type { ChatParameters } from "@/contract/parameters";
import type { ChatRow } from "@/server/db/chats/rows";
import { toViewer } from "@/server/db/chats/viewer";
import type { NewAgentChat } from "@/server/db/sql/machine/chat-inserts";
import type { AgentUse } from "@/server/db/sql/reads/agent-use-reads";
import type { AgentCall, NewAgent } from "@/server/agents/tools/agent-deps";
import { toInitialTitle } from "@/server/machine/initial-title";
import { listOfferedDynamicTools } from "@/server/tools/group-tools";
import { ToolFailure } from "@/server/tools/tool-result";
import { COST_ADVICE, describeExceededCost } from "./agent-cost";
import { type FamilyFiles, toAgentContent } from "./agent-files";
import { derivedUuid } from "./derived-uuid";

/** What a call wants of a new agent. */
export type PlannedStart = { call: AgentCall; input: NewAgent; types: readonly AgentType[] };

/** The locked root chat of a start, and what the starts before it leave for it. */
type StartPlace = {
  root: ChatRow;
  use: AgentUse;
  /** Null for all. */
  chosenTools: ReadonlySet<string> | null;
  limits: AgentLimits;
  files: FamilyFiles;
  newId: () => string;
  /** How many have started with it, before it. */
  started: number;
  age: number;
};

/** The id of the agent of a call, and of its task. */
export const toAgentId = ({ messageId, toolCallId }: AgentCall): string =>
  derivedUuid("agent", messageId, toolCallId);

/** Plans the chat of an agent: queued, if as many run as may. @returns why there is none. */
export const planAgent = (
  { call, input, types }: PlannedStart,
  place: StartPlace,
): NewAgentChat | ToolFailure => {
  const { root, use, chosenTools, limits, files, newId, started, age } = place;
  const refusal = findRefusal(limits, use, started);
  if (refusal) return refusal;
  const type = findType(types, input.type);
  if (!type) return unknownType(types, input);
  const modelId = findModel(input, type, place);
  if (modelId === undefined) return unknownModel(input.modelId);
  const content = toAgentContent({ text: input.prompt, ids: input.files }, files);
  if (content instanceof ToolFailure) return content;
  return {
    id: toAgentId(call),
    viewer: toViewer(root),
    parentChatId: root.id,
    messageId: newId(),
    turnId: newId(),
    createdBy: call.actor,
    title: input.title ?? toInitialTitle(input.prompt),
    content,
    systemPrompt: toSystemPrompt(type),
    modelId,
    parameters: toParameters(root, modelId),
    dynamicTools: type.inherit_dynamic_tools ? listOfferedDynamicTools(root).map(toOwn) : [],
    toolNames: toToolNames(type, chosenTools),
    groupNames: [],
    autoSubmitSuccess: true,
    autoSubmitError: true,
    wakeOnReports: true,
    warnings: [],
    labels: {},
    actionTimeoutSeconds: root.actionTimeoutSeconds,
    maxSteps: type.max_steps ?? DEFAULT_MAX_STEPS,
    agentType: type.name,
    agentQueued: use.running + started >= limits.running,
    toolCallId: call.toolCallId,
    rootTurnId: root.turnId,
    rootVersion: root.version + 1,
    age,
  };
};

/** Parameters are chosen for one model; `provider_tools` also limits agents with another model. */
const toParameters = (
  { modelId: rootModelId, parameters }: Pick<ChatRow, "modelId" | "parameters">,
  modelId: string | null,
): ChatParameters => {
  if (modelId === rootModelId) return parameters;
  const { provider_tools } = parameters;
  return provider_tools ? { provider_tools } : {};
};

/** An agent has no groups, and what it inherits is its own. */
const toOwn = ({ group, ...tool }: ChatDynamicTool): DynamicTool => {
  void group;
  return tool;
};

const findRefusal = (
  { perChat, perTurn, costMicros: limit }: AgentLimits,
  { count, ofTurn, costMicros }: AgentUse,
  started: number,
): ToolFailure | undefined => {
  if (count + started >= perChat) {
    return new ToolFailure(
      `The agent was not started: a chat has at most ${perChat}. Give one that has ended more work with message_agent.`,
    );
  }
  if (ofTurn + started >= perTurn) {
    return new ToolFailure(
      `The agent was not started: a turn starts at most ${perTurn}. Wait for those that work.`,
    );
  }
  const cost = describeExceededCost(costMicros, limit);
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

const unknownModel = (modelId: string | undefined): ToolFailure =>
  new ToolFailure(
    `The agent was not started: there is no model ${JSON.stringify(modelId)} that can be used. Leave model_id out for the model of this chat.`,
  );

/**
 * Finds the first model that can be used; null is the default model. One that an administrator has taken away meanwhile
 * is replaced, as in any chat.
 *
 * @returns undefined if the call names another one.
 */
const findModel = (
  { modelId }: NewAgent,
  type: AgentType,
  { root, use }: StartPlace,
): string | null | undefined => {
  const wanted = modelId === undefined ? [type.model_id, root.modelId] : [modelId];
  const found = wanted.find((id) => id !== null && use.models.includes(id));
  return found ?? (modelId === undefined ? null : undefined);
};

const toSystemPrompt = ({ prompt }: AgentType): string =>
  [
    "You are an agent that another chat has started for one piece of work. Nobody reads along, and you cannot ask back. Your last answer is your report: it is all that the other chat gets.",
    prompt,
  ]
    .filter(Boolean)
    .join("\n\n");

/** An agent has no tools that its chat has not chosen. */
const toToolNames = (
  { tools }: AgentType,
  chosen: ReadonlySet<string> | null,
): readonly string[] | null => {
  if (chosen === null) return tools;
  return tools === null ? [...chosen] : tools.filter((name) => chosen.has(name));
};

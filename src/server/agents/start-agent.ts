import type { StartedAgent } from "@/contract/agent";
import { isUnavailable } from "@/contract/domain-error";
import type { AgentLimits } from "@/contract/limits";
import type { Database, Transaction } from "@/server/db/connection/database";
import { readGroups } from "@/server/db/settings/group-reads";
import type { ChatRow } from "@/server/db/chats/rows";
import {
  announceAgents,
  insertChats,
  type NewAgentChat,
} from "@/server/db/sql/machine/chat-inserts";
import { lockChat } from "@/server/db/sql/machine/row-locks";
import {
  type ClaimedChat,
  type ClaimNew,
  claimNewChats,
  type ClaimRoom,
} from "@/server/db/sql/machine/claim";
import { type AgentChat, readAgentUse } from "@/server/db/sql/reads/agent-use-reads";
import type { AgentCall } from "@/server/agents/tools/agent-deps";
import { ToolFailure } from "@/server/tools/tool-result";
import { findChosenGroups, listChosenTools } from "@/server/settings/chosen-tools";
import { applyTransition } from "@/server/machine/transition";
import { findFamilyFiles } from "./agent-files";
import { planAgent, type PlannedStart, toAgentId } from "./plan-agent";

export type StartDeps = { db: Database; newId: () => string; agentLimits: AgentLimits };

/** What starts an agent. */
export type AgentStart = PlannedStart & {
  /** Claims agents for the worker that runs the call. */
  claimNew?: ClaimNew | undefined;
};

/** What became of a start; a failure has begun nothing. */
export type StartOutcome = { agent: StartedAgent } | { failure: ToolFailure };

/**
 * Starts agents of a chat, in this order, each or not. An agent is a child chat with the prompt as its first message, and
 * a task of the root chat. Both have an id that is derived from the call, so that a call which is repeated finds its
 * agent.
 *
 * An outcome is a failure when there are too many, when type, model or a file are unknown, or when the turn of the call
 * is over.
 *
 * @throws {ToolFailure} when the chat may have no agents.
 */
export const startAgents = (
  deps: StartDeps,
  { chatId, starts }: { chatId: string; starts: readonly AgentStart[] },
): Promise<StartOutcome[]> => {
  const start = (room?: ClaimRoom): Promise<Started> =>
    deps.db.transaction(async (tx) => {
      const root = await lockRoot(tx, chatId);
      const running = starts.filter(({ call }) => isInTurn(root, call));
      const { outcomes, claimed } = await startAgentsIn(tx, deps, { root, starts: running, room });
      return {
        outcomes: starts.map(
          (each) => outcomes[running.indexOf(each)] ?? { failure: turnIsOver() },
        ),
        claimed,
      };
    });
  return startClaimed(start, starts).catch(async (error: unknown) => {
    if (!isUnavailable(error)) throw error;
    // They may have started, although the answer was lost, and are found then.
    return (await start()).outcomes;
  });
};

/** Starts agents whose turns the worker of their call begins at once, as far as it has room for them. */
const startClaimed = async (
  start: (room?: ClaimRoom) => Promise<Started>,
  starts: readonly AgentStart[],
): Promise<StartOutcome[]> => {
  const claimNew = starts[0]?.claimNew;
  if (!claimNew) return (await start()).outcomes;
  const outcomes: StartOutcome[] = [];
  await claimNew(starts.length, async (room) => {
    const started = await start(room);
    outcomes.push(...started.outcomes);
    return started.claimed;
  });
  return outcomes;
};

type Started = { outcomes: StartOutcome[]; claimed: ClaimedChat[] };

/** A call goes on for a moment after a person has stopped its turn or edited its message, and may begin nothing then. */
const isInTurn = (root: ChatRow, { turnId }: AgentCall): boolean =>
  root.status === "running" && root.turnId === turnId;

const turnIsOver = (): ToolFailure =>
  new ToolFailure("The turn of the call is over, so that nothing was done.");

/** @throws {ToolFailure} when the turn of the call is over. */
export const requireTurn = (root: ChatRow, call: AgentCall): void => {
  if (!isInTurn(root, call)) throw turnIsOver();
};

type Starts = { root: ChatRow; starts: readonly AgentStart[]; room?: ClaimRoom | undefined };

/** Does the same for a locked root chat, whether or not the turns of the calls go on. */
export const startAgentsIn = async (
  tx: Transaction,
  { newId, agentLimits: limits }: Pick<StartDeps, "newId" | "agentLimits">,
  { root, starts, room }: Starts,
): Promise<Started> => {
  const { id: rootChatId, turnId } = root;
  const ids = starts.map(({ call }) => toAgentId(call));
  const use = await readAgentUse(tx, { rootChatId, turnId, ids });
  const chosenTools = await readChosenTools(tx, root);
  const fileIds = starts.flatMap(({ input }) => input.files ?? []);
  const files = await findFamilyFiles(tx, root, fileIds);
  const agents = new Map<string, AgentChat>(use.existing.map((agent) => [agent.id, agent]));
  const chats: NewAgentChat[] = [];
  const outcomes = starts.map((start, index): StartOutcome => {
    const existing = agents.get(toAgentId(start.call));
    if (existing) return { agent: toStarted(existing) };
    const place = { started: chats.length, age: starts.length - 1 - index };
    const chat = planAgent(start, { root, use, chosenTools, limits, files, newId, ...place });
    if (chat instanceof ToolFailure) return { failure: chat };
    chats.push(chat);
    agents.set(chat.id, chat);
    return { agent: toStarted(chat) };
  });
  return { outcomes, claimed: await insertAgents(tx, { root, chats, newId, room }) };
};

type NewAgents = Pick<Starts, "root" | "room"> &
  Pick<StartDeps, "newId"> & { chats: NewAgentChat[] };

/** @returns those that the worker of the calls has claimed. */
const insertAgents = async (
  tx: Transaction,
  { root, chats, newId, room }: NewAgents,
): Promise<ClaimedChat[]> => {
  if (chats.length === 0) return [];
  const inserted = await insertChats(tx, chats);
  if (inserted.length < chats.length) {
    throw new ToolFailure("No agent was started: a model was disabled meanwhile. Try again.");
  }
  await applyTransition(tx, root, {
    event: "note_task",
    newId,
    by: "worker",
    closeReason: "superseded",
  });
  const chatIds = chats.map(({ id }) => id);
  const claimed = room && room.limit > 0 ? await claimNewChats(tx, { ...room, chatIds }) : [];
  const others = chatIds.filter((id) => !claimed.some((chat) => chat.id === id));
  await announceAgents(tx, others);
  return claimed;
};

/** The tools that the chat has chosen; null for all. */
const readChosenTools = async (tx: Transaction, root: ChatRow): Promise<Set<string> | null> => {
  const groups = root.groupNames.length > 0 ? await readGroups(tx) : [];
  return listChosenTools(root, findChosenGroups(root, groups));
};

const toStarted = ({ id, title, agentType, agentQueued }: AgentChat): StartedAgent => ({
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

import { AgentWait, type AgentOutcome, type AwaitedAgents } from "@/contract/agent";
import type { JsonValue } from "@/contract/json";
import { type AgentRow, listAgents } from "@/server/db/tasks/agent-reads";
import { listOpenCalls, type OpenCall } from "@/server/db/chats/call-reads";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import type { ChatRow } from "@/server/db/chats/rows";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { saveOutcomes } from "@/server/db/sql/machine/call-writes";
import { markReported } from "@/server/db/sql/machine/task-writes";
import { settle, type ToolOutcome } from "@/server/tools/settle";
import { jsonResult, ToolResult } from "@/server/tools/tool-result";

/** A call that waits for agents. */
type WaitingCall = { toolCallId: string; startedAt: Date; wait: AgentWait };

/** The calls among these that wait for agents. */
export const findWaits = (
  calls: readonly Pick<OpenCall, "toolCallId" | "startedAt" | "state" | "output">[],
): WaitingCall[] =>
  calls
    .filter(({ state }) => state === "awaiting_agents")
    .map(({ toolCallId, startedAt, output }) => ({
      toolCallId,
      startedAt,
      wait: AgentWait.parse(output),
    }));

/** Whether a locked chat waits for agents, and has to wait no longer: of each call, enough have ended. */
export const isWaitOver = async (tx: Transaction, root: ChatRow): Promise<boolean> => {
  if (root.status !== "awaiting_agents") return false;
  const waits = findWaits(await listOpenCalls(tx, root.id));
  const agents = await listAgents(tx, root.id, { ids: listAgentIds(waits) });
  return waits.every((call) => hasEnough(call, agents));
};

export const listAgentIds = (waits: readonly WaitingCall[]): string[] => [
  ...new Set(waits.flatMap(({ wait }) => wait.chat_ids)),
];

/** An agent that is gone counts as ended: it cannot end any more. */
const hasEnough = ({ wait }: WaitingCall, agents: readonly AgentRow[]): boolean => {
  const open = agents.filter(({ id, task }) => wait.chat_ids.includes(id) && !hasEnded(task));
  return wait.chat_ids.length - open.length >= wait.min_completed;
};

/** The calls of a chat that have to wait longer: fewer agents than they wait for have ended, and they have time. */
export const listOpenWaits = async (
  tx: Transaction,
  waits: readonly WaitingCall[],
  agents: readonly AgentRow[],
): Promise<WaitingCall[]> => {
  const now = await readClock(tx);
  return waits.filter((call) => !hasEnough(call, agents) && new Date(call.wait.deadline_at) > now);
};

/** @returns the time at which a wait of so many seconds ends. */
export const calculateDeadline = async (db: Queryable, seconds: number): Promise<Date> =>
  new Date((await readClock(db)).getTime() + seconds * 1_000);

export const hasEnded = ({ report }: AgentRow["task"]): boolean => report !== null;

/** How a call's wait has ended, and which reports it hands over. */
export type EndedWait = {
  toolCallId: string;
  outcome: ToolOutcome;
  endedBy: AwaitedAgents["ended_by"];
  seconds: number;
};

/**
 * Ends calls of a locked chat that wait for agents, with the reports so far. These count as delivered.
 *
 * @returns also by how many the chat has fewer reports to deliver.
 */
export const endWaits = async (
  tx: Transaction,
  root: ChatRow,
  { waits, endedBy }: { waits: readonly WaitingCall[]; endedBy: "message" | "agents" },
): Promise<{ ended: EndedWait[]; delivered: number }> => {
  if (waits.length === 0) return { ended: [], delivered: 0 };
  const agents = await listAgents(tx, root.id, { ids: listAgentIds(waits) });
  const now = await readClock(tx);
  const ended = waits.map((call) => endWait(call, { agents, endedBy, now }));
  const reportedTasks = agents.filter(({ task }) => hasEnded(task)).map(({ task }) => task.id);
  const change = { chatId: root.id, revision: root.version + 1 };
  const outcomes = ended.map(({ toolCallId, outcome }) => ({ toolCallId, ...outcome }));
  await saveOutcomes(tx, { ...change, outcomes });
  return { ended, delivered: await markReported(tx, { ...change, reportedTasks }) };
};

type WaitEnd = { agents: readonly AgentRow[]; endedBy: "message" | "agents"; now: Date };

const endWait = (call: WaitingCall, { agents, ...end }: WaitEnd): EndedWait => {
  const own = call.wait.chat_ids.flatMap((id) => agents.find((agent) => agent.id === id) ?? []);
  const output = toOutput(call, { agents: own, ...end });
  const artifacts = own.flatMap(({ task }) => task.report?.artifacts ?? []);
  const result = ToolResult.parse({ ...jsonResult(output), artifacts });
  return {
    toolCallId: call.toolCallId,
    outcome: settle({ type: "returned", result }),
    endedBy: output.ended_by,
    seconds: Math.max(0, end.now.getTime() - call.startedAt.getTime()) / 1_000,
  };
};

const toOutput = (call: WaitingCall, { agents: own, endedBy, now }: WaitEnd): AwaitedAgents => {
  const isLate = !hasEnough(call, own) && now >= new Date(call.wait.deadline_at);
  const goOn = own.filter(({ task }) => !hasEnded(task)).length;
  return {
    agents: own.map(toAgentOutcome),
    ended_by: isLate ? "deadline" : hasEnough(call, own) ? "agents" : endedBy,
    timed_out: isLate,
    ...(goOn > 0 && {
      note: `${endedBy === "message" ? "A new message has ended the wait. " : ""}${goOn} of these agents go on in the background. Their reports come by themselves; you can also wait for them again.`,
    }),
  };
};

const toAgentOutcome = ({ id, title, task, status, lastError }: AgentRow): AgentOutcome => ({
  chat_id: id,
  title,
  state: task.state,
  ...(task.report && { report: toText(task.report.output) }),
  ...(task.state === "failed" &&
    status === "error" &&
    lastError && { error: { kind: lastError.kind, retryable: lastError.retryable } }),
});

const toText = (output: JsonValue): string =>
  typeof output === "string" ? output : JSON.stringify(output);

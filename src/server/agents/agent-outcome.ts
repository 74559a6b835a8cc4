import { type AgentLimits, MAX_RESULT_BYTES } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import type { Database } from "@/server/db/connection/database";
import type { ChatRow, TaskReport, TaskRow } from "@/server/db/chats/rows";
import {
  type AgentRoot,
  type AgentSnapshot,
  readAgentSnapshots,
  type TurnMessage,
} from "@/server/db/sql/machine/agent-task-writes";
import type { TaskEnd } from "@/server/db/sql/machine/task-writes";
import { toViewer } from "@/server/db/chats/viewer";
import { presentResult } from "@/server/tools/present-result";
import type { SaveArtifact, ToolLog } from "@/server/tools/tool-context";
import { artifactResult } from "@/server/tools/tool-result";

export type AgentDeps = {
  db: Database;
  newId: () => string;
  saveArtifact: SaveArtifact;
  agentLimits: AgentLimits;
  log: ToolLog;
};

/** What an agent that rests has ended with, as of one version of its history, and its root chat at that moment. */
export type AgentEnd = {
  agentId: string;
  root: AgentRoot;
  task: TaskRow;
  historyVersion: number;
  end: TaskEnd;
};

/** Reads how agents have ended, in this order; omits those that work, and those whose task has been ended. */
export const readAgentEnds = async (
  deps: AgentDeps,
  agentIds: readonly string[],
): Promise<AgentEnd[]> => {
  const ends: AgentEnd[] = [];
  const { turnMinutes } = deps.agentLimits;
  for (const agent of await readAgentSnapshots(deps.db, agentIds, turnMinutes)) {
    const { chat, root, task } = agent;
    if (!task || !isResting(chat)) continue;
    const { state, text } = describeEnd(agent, turnMinutes);
    const report = await toReport(deps, { agent: chat, task, text, files: agent.files });
    const { id: agentId, historyVersion } = chat;
    ends.push({ agentId, root, task, historyVersion, end: { state, report } });
  }
  return ends;
};

/** Whether an agent has nothing to do: it does not work, wait for anybody, or have messages to answer. */
export const isResting = ({ status }: Pick<ChatRow, "status">): boolean =>
  status === "waiting" || status === "error";

type EndText = { state: "completed" | "failed" | "cancelled"; text: string };

const describeEnd = (
  { chat: { status, lastError }, turn, isOverdue }: AgentSnapshot,
  turnMinutes: number,
): EndText => {
  const answer = findAnswer(turn);
  if (status === "error") {
    const message = lastError?.message ?? "Its turn has failed.";
    return { state: "failed", text: withPartial(`The agent failed: ${message}`, answer) };
  }
  if (turn.at(-1)?.finishReason === "step-limit") {
    const text = withPartial("The agent has done as many steps as it may in a turn.", answer);
    return { state: "failed", text };
  }
  if (!isStopped(turn))
    return { state: "completed", text: answer || "It ended without an answer." };
  return isOverdue
    ? {
        state: "failed",
        text: withPartial(`The agent was stopped at its time limit of ${turnMinutes} min.`, answer),
      }
    : { state: "cancelled", text: withPartial("The agent was stopped.", answer) };
};

const withPartial = (sentence: string, answer: string): string =>
  answer === "" ? sentence : `${sentence} What it had written:\n\n${answer}`;

/** Whether the turn ended because it was stopped. */
const isStopped = (turn: readonly TurnMessage[]): boolean => {
  const last = turn.at(-1);
  if (last?.role !== "assistant" || last.interrupted) return true;
  return last.parts.some(({ state }) => state === "cancelled");
};

/** The text of the newest answer that has one. */
const findAnswer = (turn: readonly TurnMessage[]): string =>
  turn
    .filter(({ role }) => role === "assistant")
    .map(({ parts }) =>
      parts
        .flatMap(({ type, text }) => (type === "text" && text !== null ? [text.trim()] : []))
        .join("\n\n"),
    )
    .findLast((text) => text !== "") ?? "";

/** The model reads the name of each file. */
const MAX_REPORTED_FILES = 50;

/** Does with a report what is done with each result of a tool. */
const toReport = async (
  { saveArtifact, log }: AgentDeps,
  {
    agent,
    task,
    text,
    files,
  }: { agent: ChatRow; task: TaskRow; text: string; files: readonly Artifact[] },
): Promise<TaskReport> => {
  const left = files.length - MAX_REPORTED_FILES;
  const note = `\n\nIt has ${files.length} files; these are the newest ${MAX_REPORTED_FILES}.`;
  const result = artifactResult(left > 0 ? text + note : text, files.slice(-MAX_REPORTED_FILES));
  const presented = await presentResult(result, {
    saveArtifact,
    maxOutputBytes: MAX_RESULT_BYTES,
    onTruncated: () => undefined,
    context: {
      chatId: task.chatId,
      userId: toViewer(agent).userId,
      toolCallId: task.toolCallId,
      log,
    },
  });
  return { output: presented.forLlm, for_user: null, artifacts: presented.artifacts };
};

import { expect } from "vitest";
import { AgentWait } from "@/contract/agent";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { endAgents } from "@/server/agents/end-agents";
import { startAgents } from "@/server/agents/start-agent";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { getLocalCalls } from "@/server/turn/decide-next";
import { completeTask, takeTurnReports, wakeChat } from "@/server/tasks/task-reports";
import type { ServerContext } from "@/server/context";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import { ToolFailure } from "@/server/tools/tool-result";
import { waitForAgents } from "@/server/agents/wait-for-agents";
import { readChat, readWholeHistory } from "./chat-probe";
import { type CallKind, completed, createWorld, OPEN, type Op } from "./chat-world";
import { beginTestTask } from "./task-fixture";
import { SHIPPED_AGENT_TYPES, recordedDeps } from "./tool-fixture";

/** What tasks and agents do to a chat. */
export type TaskOp =
  | Op
  | { op: "beginTask" | "wake" }
  | { op: "endTask" | "restAgent" | "endAgent"; pick: number }
  | { op: "spawn" | "takeReports" | "waitForAgents"; worker: 0 | 1 }
  /** What a worker does in a step that nobody disturbs. */
  | { op: "step"; worker: 0 | 1; spawns: number; calls: CallKind[] };

const agentLimits = { ...DEFAULT_AGENT_LIMITS, running: 2 };
const WAIT_MS = 60_000;

/** A chat with tasks and agents, to which clients and workers do what they do to any. */
export const createTaskWorld = async (ctx: ServerContext) => {
  const { db, newId } = ctx;
  const deps = { db, newId };
  const { saveArtifact } = createArtifactDeps(deps);
  const agentDeps = { ...deps, saveArtifact, agentLimits, log: recordedDeps().deps.step.log };

  const listTasks = (kind: "tool" | "agent") =>
    db.prisma.task.findMany({ where: { chatId: id, kind }, orderBy: { createdAt: "asc" } });
  const pickTask = async (kind: "tool" | "agent", at: number) => {
    const tasks = await listTasks(kind);
    return tasks[at % Math.max(tasks.length, 1)];
  };
  const getOutcome = async ({ toolName }: ToolCallPartRow): Promise<Partial<ToolCallPartRow>> => {
    const ids = (await listTasks("agent")).flatMap(({ agentChatId }) => agentChatId ?? []);
    if (toolName !== "wait_agent" || ids.length === 0) return completed();
    const deadline_at = new Date(Date.now() + WAIT_MS).toISOString();
    const output = AgentWait.parse({ chat_ids: ids, min_completed: ids.length, deadline_at });
    return { state: "awaiting_agents", output };
  };
  const { id, held, run: runBase } = await createWorld(ctx, { getOutcome });

  const spawn = async (at: 0 | 1, count = 1): Promise<void> => {
    const turnId = held[at]?.turnId;
    if (turnId === undefined) return;
    const starts = Array.from({ length: count }, () => ({
      call: { chatId: id, turnId, actor: "worker", messageId: newId(), toolCallId: "spawn" },
      input: { prompt: "Work." },
      types: SHIPPED_AGENT_TYPES.agent_types,
    }));
    // A chat that is archived meanwhile refuses them all.
    await startAgents(agentDeps, { chatId: id, starts }).catch((error: unknown) => {
      if (!(error instanceof ToolFailure)) throw error;
    });
  };
  /** Ends the turn of an agent, of which nobody else has heard yet. */
  const restAgent = async (at: number): Promise<void> => {
    const agentId = (await pickTask("agent", at))?.agentChatId ?? newId();
    const lease = { leaseOwner: null, leaseToken: null, leaseExpiresAt: null };
    await db.prisma.chat.updateMany({
      where: { id: agentId, status: { not: "waiting" }, agentQueued: false },
      data: { status: "waiting", version: { increment: 1 }, ...lease },
    });
  };
  const readOpen = async () => {
    const last = (await readWholeHistory(db, id)).at(-1);
    return { last, open: last ? getLocalCalls(last).filter(({ state }) => OPEN.has(state)) : [] };
  };
  const takeReportsAs = async (at: 0 | 1): Promise<void> => {
    const chat = held[at];
    // A step is generated only when all calls have outcomes, and the reports come before it.
    if (!chat || (await readOpen()).open.length > 0) return;
    held[at] = (await takeTurnReports(ctx, chat))?.chat;
  };
  const waitAs = async (at: 0 | 1): Promise<void> => {
    const chat = held[at];
    const { last, open } = await readOpen();
    if (!chat || !last || open.length === 0) return;
    if (open.some(({ state }) => state !== "awaiting_agents")) return;
    const progress = await waitForAgents(agentDeps, chat, last);
    held[at] = progress?.type === "ended" ? progress.chat : undefined;
  };

  const stepAs = async ({ worker, spawns, calls }: TaskOp & { op: "step" }): Promise<void> => {
    if (!held[worker]) await runBase({ op: "claim", worker });
    await takeReportsAs(worker);
    if (spawns > 0) await spawn(worker, spawns);
    await runBase({ op: "commit", worker, calls });
    await runBase({ op: "settle", worker });
    await waitAs(worker);
  };

  const run = async (op: TaskOp): Promise<void> => {
    switch (op.op) {
      case "beginTask": {
        const calls = (await readWholeHistory(db, id)).flatMap(getLocalCalls);
        const toolCallId = calls.at(-1)?.toolCallId ?? "call_1";
        return void (await beginTestTask(db, { chatId: id, toolCallId }));
      }
      case "wake":
        return void (await wakeChat(deps, id));
      case "endTask": {
        const taskId = (await pickTask("tool", op.pick))?.id ?? newId();
        const report = { output: "done", for_user: null, artifacts: [] };
        return void (await completeTask(deps, { taskId, chatId: id, state: "completed", report }));
      }
      case "restAgent":
        return restAgent(op.pick);
      case "endAgent": {
        const agentId = (await pickTask("agent", op.pick))?.agentChatId ?? newId();
        return endAgents(agentDeps, [agentId]);
      }
      case "spawn":
        return spawn(op.worker);
      case "takeReports":
        return takeReportsAs(op.worker);
      case "step":
        return stepAs(op);
      case "waitForAgents":
        return waitAs(op.worker);
      default:
        return runBase(op);
    }
  };

  /** Checks the invariants of the tasks after an action. */
  const expectTaskInvariants = async (): Promise<void> => {
    const chat = await readChat(db, id);
    const tasks = await db.prisma.task.findMany({ where: { chatId: id } });
    const agents = await db.prisma.chat.findMany({ where: { parentChatId: id } });
    const reports = await db.prisma.part.findMany({
      where: { type: "report", message: { chatId: id, deleted: false } },
    });
    const calls = await db.prisma.part.findMany({
      where: { type: "tool_call", message: { chatId: id } },
      select: { toolCallId: true, message: { select: { deleted: true } } },
    });
    const isReplaced = (toolCallId: string): boolean =>
      calls.some((call) => call.toolCallId === toolCallId && call.message.deleted) &&
      !calls.some((call) => call.toolCallId === toolCallId && !call.message.deleted);
    const ids = reports.map(({ data }) => (data as { task_id: string }).task_id);
    const undelivered = tasks.filter((task) => task.report !== null && task.deliveredAt === null);
    expect(chat.reportCount).toBe(undelivered.length);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id: taskId, kind, deliveredAt, endedAt, toolCallId } of tasks) {
      if (isReplaced(toolCallId)) {
        expect([endedAt === null, deliveredAt === null, ids.includes(taskId)]).toEqual([
          false,
          false,
          false,
        ]);
        continue;
      }
      // The outcome of a call that waited may have reported the end of an agent instead.
      if (deliveredAt === null || kind === "tool") {
        expect(ids.includes(taskId)).toBe(deliveredAt !== null);
      }
    }
    const ofAgents = tasks.filter(({ kind }) => kind === "agent");
    expect(new Set(ofAgents.map(({ agentChatId }) => agentChatId)).size).toBe(agents.length);
    const running = ofAgents.filter(({ state }) => state === "running");
    expect(running.length).toBeLessThanOrEqual(agentLimits.running);
    const queued = ofAgents.filter(({ state }) => state === "queued");
    for (const agent of agents.filter(({ agentQueued }) => agentQueued)) {
      expect(agent).toMatchObject({ status: "pending", leaseToken: null });
      expect(queued.map(({ agentChatId }) => agentChatId)).toContain(agent.id);
    }
    if (queued.length > 0) expect(running).toHaveLength(agentLimits.running);
  };
  return { id, run, expectTaskInvariants };
};

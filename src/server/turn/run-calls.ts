import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import pLimit from "p-limit";
import type { AdvisorSpend } from "@/server/advisor/advisor-outcome";
import {
  getFinalArgs,
  type HistoryMessage,
  type ModelUse,
  OPEN_CALL_STATES,
  type ToolCallPartRow,
} from "@/server/db/chats/rows";
import type { SettledCalls } from "@/server/db/sql/machine/turn-commits";
import type { CallRest, RunDeps } from "@/server/tools/held-calls";
import { type PreparedCalls, prepareCalls, requirePrepared } from "@/server/tools/prepare-call";
import { runTool } from "@/server/tools/run-tool";
import { settle, type ToolOutcome } from "@/server/tools/settle";
import type { Advise, CallDeps, StepContext } from "@/server/tools/tool-context";
import type { Toolbox } from "@/server/tools/toolbox";
import { createAdvise } from "./advise";
import { getLocalCalls } from "./decide-next";
import { calculateResultShare } from "./result-share";
import type { AgentStep } from "@/server/agents/agent-tool-deps";
import type { Turn, TurnDeps, TurnTools } from "./turn-deps";
import { toPrepareDeps, toToolChat } from "./turn-tools";

/** Calls of one batch that run concurrently. */
const CONCURRENT_CALLS = 8;

/** Calls of one message that are to be run. */
export type Batch = {
  message: HistoryMessage;
  calls: ToolCallPartRow[];
  tools: TurnTools;
  /** Of the step that made the calls; undefined when this worker did not generate it. */
  prompt: LanguageModelV4Prompt | undefined;
  /** Undefined likewise; the calls are then prepared when they run. */
  prepared: PreparedCalls | undefined;
};

export type RanCalls = Pick<SettledCalls, "calls" | "uses">;

/** Runs calls of one message. @returns them with their outcomes, in call order. */
export const runCalls = async (deps: TurnDeps, turn: Turn, batch: Batch): Promise<RanCalls> => {
  const { message, tools } = batch;
  // A call that asks may outlast its turn, whose history must not stay in memory with it.
  const { id: chatId } = turn.chat;
  const uses: ModelUse[] = [];
  const model = await deps.resolveModel(turn.chat);
  const contextLimit = "failure" in model ? null : model.contextLimit;
  const maxOutputBytes = calculateResultShare(contextLimit, getLocalCalls(message).length);
  const { saveArtifact } = deps;
  const onSpend = (spend: AdvisorSpend) => uses.push({ id: deps.newId(), ...spend });
  const running: AgentStep = {
    advise: findAdvise(deps, turn, { ...batch, onSpend }),
    claimNew: deps.claimNew,
  };
  const callDeps: Omit<CallDeps, "onTruncated" | "emit" | "elicit"> = {
    step: { ...createStepContext(deps, turn, message), running },
    saveArtifact,
    maxOutputBytes,
    openTask: (call, task) => deps.tasks.open(call, { ...task, saveArtifact, maxOutputBytes }),
  };
  const prepareDeps = toPrepareDeps(deps, turn.chat, tools.toolbox);
  deps.preview.reset(turn.chat.attempt, turn.chat.historyVersion);
  try {
    const isHeld = ({ toolCallId }: ToolCallPartRow): boolean =>
      deps.heldCalls.has({ chatId, toolCallId });
    const toPrepare = batch.calls.filter((call) => !isHeld(call));
    // A call that runs in another step than it was made in has been approved, or needed no approval.
    const passed = toPrepare.map((call) => ({
      ...call,
      args: getFinalArgs(call),
      approved: true,
    }));
    const prepared = batch.prepared ?? (await prepareCalls(passed, prepareDeps));
    const run = (call: ToolCallPartRow, { signal, ...own }: RunDeps): Promise<ToolOutcome> => {
      const { toolCallId } = call;
      return runTool(toolCallId, requirePrepared(prepared, toolCallId), {
        ...callDeps,
        ...own,
        step: { ...callDeps.step, signal },
        onTruncated: () => deps.meter.record("truncations", deps.meter.labelTool(call)),
      });
    };
    const calls = await pLimit(CONCURRENT_CALLS).map(batch.calls, (call) =>
      isForProgram(call, prepared)
        ? () => Promise.resolve(toProgram(call))
        : runToRest(deps, { chatId, call, start: (own) => run(call, own) }),
    );
    return { calls: await Promise.all(calls.map((readCall) => readCall())), uses };
  } finally {
    delete running.advise;
    delete running.claimNew;
  }
};

/** Whether a program runs the call, which a person has approved. */
const isForProgram = ({ kind, toolCallId }: ToolCallPartRow, prepared: PreparedCalls): boolean =>
  kind === "toolset" && prepared.get(toolCallId)?.type === "wait";

const toProgram = (call: ToolCallPartRow): ToolCallPartRow => ({
  ...call,
  state: "awaiting_result",
  approved: false,
});

type CallToRun = {
  chatId: string;
  call: ToolCallPartRow;
  start: (own: RunDeps) => Promise<ToolOutcome>;
};

/** Runs a call until it has ended or asks. @returns reads it when the others of its batch rest, too. */
const runToRest = async (
  { heldCalls, signal, preview, now }: TurnDeps,
  { chatId, call, start }: CallToRun,
): Promise<() => Promise<ToolCallPartRow>> => {
  const readRest = await heldCalls.run(
    { chatId, toolCallId: call.toolCallId },
    { start, host: { signal, emit: preview.write, now }, elicitations: call.elicitations ?? [] },
  );
  return async () => toCall(call, await readRest());
};

const toCall = (call: ToolCallPartRow, rest: CallRest): ToolCallPartRow => {
  const elicitations = rest.elicitations.length === 0 ? null : [...rest.elicitations];
  if (rest.type === "asks") {
    return { ...call, state: "awaiting_result", approved: false, elicitations };
  }
  const completedAt = OPEN_CALL_STATES.has(rest.outcome.state) ? null : rest.endedAt;
  return { ...call, ...rest.outcome, approved: false, completedAt, elicitations };
};

const createStepContext = (
  deps: TurnDeps,
  { chat, history }: Turn,
  message: HistoryMessage,
): Omit<StepContext, "running"> => {
  const replyTo = history.find(({ role, turnId }) => role === "user" && turnId === chat.turnId);
  const actor = replyTo?.createdBy ?? "worker";
  return {
    ...toToolChat(chat),
    agentLevel: chat.parentChatId === null ? "root" : "child",
    labels: Object.freeze({ ...chat.labels }),
    actor,
    turnId: chat.turnId,
    messageId: message.id,
    replyToMessageId: replyTo?.id,
    channel: toChannel(actor),
    log: deps.log,
    signal: deps.signal,
    now: deps.now,
    newId: deps.newId,
  };
};

const toChannel = (actor: string): StepContext["channel"] => {
  if (actor === "worker") return "worker";
  return actor.startsWith("api_key:") ? "api" : "web";
};

/** Returns how the calls of a step ask its advisor, if it has one. */
const findAdvise = (
  deps: TurnDeps,
  turn: Turn,
  { message, tools, prompt, onSpend }: Batch & { onSpend: (spend: AdvisorSpend) => void },
): Advise | undefined =>
  tools.advisor && prompt
    ? createAdvise(deps, turn, { advisor: tools.advisor, message, prompt, onSpend })
    : undefined;

/**
 * Closes calls that were running when their worker crashed: whether they took effect is unknown.
 *
 * @returns them without the repeatable ones, which stay open.
 */
export const closeAbandoned = (
  calls: readonly ToolCallPartRow[],
  { toolbox, now }: { toolbox: Toolbox; now: Date },
): ToolCallPartRow[] =>
  calls
    // A call for a program does nothing here.
    .filter(({ kind, toolName }) => kind !== "toolset" && !toolbox.repeatable.has(toolName))
    .map((call) => ({
      ...call,
      ...settle({ type: "closed", reason: "server_stopped" }),
      completedAt: now,
    }));

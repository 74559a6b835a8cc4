import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import pLimit from "p-limit";
import type { AdvisorSpend } from "@/server/advisor/advisor-outcome";
import type { HistoryMessage, ModelUse, ToolCallPartRow } from "@/server/db/rows";
import type { SettledCalls } from "@/server/db/sql/turn-commits";
import { type PreparedCalls, prepareCalls, requirePrepared } from "@/server/tools/prepare-call";
import { runTool } from "@/server/tools/run-tool";
import { settle, type ToolOutcome } from "@/server/tools/settle";
import type { CallDeps, StepContext } from "@/server/tools/tool-context";
import { createAdvise } from "./advise";
import { toClosedCalls } from "./exit-calls";
import { getLocalCalls } from "./decide-next";
import { calculateResultShare } from "./result-share";
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
  const uses: ModelUse[] = [];
  const model = await deps.resolveModel(turn.chat);
  const contextLimit = "failure" in model ? null : model.contextLimit;
  const callDeps: Omit<CallDeps, "onTruncated"> = {
    step: createStepContext(deps, turn, message),
    emit: deps.preview.write,
    saveArtifact: deps.saveArtifact,
    maxOutputBytes: calculateResultShare(contextLimit, getLocalCalls(message).length),
  };
  const removeAdvisor = addAdvisor(deps, turn, {
    ...batch,
    onSpend: (spend) => uses.push({ id: deps.newId(), ...spend }),
  });
  const prepareDeps = toPrepareDeps(deps, turn.chat, tools.toolbox);
  deps.preview.reset(turn.chat.attempt, turn.chat.historyVersion);
  try {
    const prepared = batch.prepared ?? (await prepareCalls(batch.calls, prepareDeps));
    const run = async (call: ToolCallPartRow): Promise<ToolOutcome> => {
      const found = requirePrepared(prepared, call.toolCallId);
      // It is committed as begun, so nothing runs it any more.
      if (found.type === "refused") await deps.exitCalls(toClosedCalls(turn.chat.id, [call]));
      return runTool(call.toolCallId, found, {
        ...callDeps,
        onTruncated: () => deps.meter.recordTruncation(call),
      });
    };
    const calls = await pLimit(CONCURRENT_CALLS).map(batch.calls, async (call) => ({
      ...call,
      ...(await run(call)),
      approved: false,
      completedAt: deps.now(),
    }));
    return { calls, uses };
  } finally {
    removeAdvisor();
  }
};

const createStepContext = (
  deps: TurnDeps,
  { chat, history }: Turn,
  message: HistoryMessage,
): StepContext => {
  const replyTo = history.find(({ role, turnId }) => role === "user" && turnId === chat.turnId);
  const actor = replyTo?.createdBy ?? "worker";
  return {
    ...toToolChat(chat),
    agentType: chat.parentChatId === null ? "root" : "child",
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

/** Registers the advisor of a step while its calls run. @returns a function that removes it. */
const addAdvisor = (
  deps: TurnDeps,
  turn: Turn,
  { message, tools, prompt, onSpend }: Batch & { onSpend: (spend: AdvisorSpend) => void },
): (() => void) => {
  if (!tools.advisor || !prompt) return () => undefined;
  const advise = createAdvise(deps, turn, { advisor: tools.advisor, message, prompt, onSpend });
  return deps.stepAdvisors.add(message.id, advise);
};

/** Closes calls that were running when their worker crashed: whether they took effect is unknown. */
export const closeAbandoned = (calls: ToolCallPartRow[], now: Date): ToolCallPartRow[] =>
  calls.map((call) => ({
    ...call,
    ...settle({ type: "closed", reason: "server_stopped" }),
    completedAt: now,
  }));

import pLimit from "p-limit";
import type { AdvisorSpend } from "@/server/advisor/advisor-outcome";
import type { HistoryMessage, ToolCallPartRow } from "@/server/db/rows";
import type { SettledCalls } from "@/server/db/sql/turn-commits";
import type { AdvisorUse } from "@/server/db/sql/usage";
import { type PreparedCalls, prepareCalls, requirePrepared } from "@/server/tools/prepare-call";
import { runTool } from "@/server/tools/run-tool";
import { settle, type ToolOutcome } from "@/server/tools/settle";
import type { CallDeps } from "@/server/tools/tool-context";
import { createAdvise } from "./advise";
import { MAX_RESULT_BYTES } from "./prompt/tool-result-part";
import type { StepRequest, Turn, TurnDeps, TurnTools } from "./turn-deps";
import { toToolChat } from "./turn-tools";

/** Calls of one batch that run concurrently. */
const CONCURRENT_CALLS = 8;

/** Calls of one message that are to be run. */
export type Batch = {
  message: HistoryMessage;
  calls: ToolCallPartRow[];
  tools: TurnTools;
  /** Undefined when this worker did not generate the step. */
  request: StepRequest | undefined;
  /** Undefined likewise; the calls are then prepared when they run. */
  prepared: PreparedCalls | undefined;
};

export type RanCalls = Pick<SettledCalls, "calls" | "uses">;

/** Runs calls of one message. @returns them with their outcomes, in call order. */
export const runCalls = async (deps: TurnDeps, turn: Turn, batch: Batch): Promise<RanCalls> => {
  const { message, tools } = batch;
  const uses: AdvisorUse[] = [];
  const callDeps: CallDeps = {
    step: createStepContext(deps, turn, message),
    emit: deps.preview.write,
    saveArtifact: deps.saveArtifact,
    maxOutputBytes: MAX_RESULT_BYTES,
  };
  const removeAdvisor = addAdvisor(deps, turn, {
    ...batch,
    onSpend: (spend) => uses.push({ id: deps.newId(), ...spend }),
  });
  const prepareDeps = { toolbox: tools.toolbox, chat: toToolChat(turn.chat), log: deps.log };
  deps.preview.reset(turn.chat.attempt, turn.chat.historyVersion);
  try {
    const prepared = batch.prepared ?? (await prepareCalls(batch.calls, prepareDeps));
    const run = ({ toolCallId }: ToolCallPartRow): Promise<ToolOutcome> =>
      runTool(toolCallId, requirePrepared(prepared, toolCallId), callDeps);
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

const createStepContext = (deps: TurnDeps, { chat, history }: Turn, message: HistoryMessage) => {
  const replyTo = history.find(({ role, turnId }) => role === "user" && turnId === chat.turnId);
  return {
    ...toToolChat(chat),
    turnId: chat.turnId,
    messageId: message.id,
    replyToMessageId: replyTo?.id,
    channel: replyTo?.createdBy?.startsWith("api_key:") ? ("api" as const) : ("web" as const),
    log: deps.log,
    signal: deps.signal,
    now: deps.now,
    newId: deps.newId,
  };
};

/** Registers the advisor of a step while its calls run. @returns a function that removes it. */
const addAdvisor = (
  deps: TurnDeps,
  turn: Turn,
  { message, tools, request, onSpend }: Batch & { onSpend: (spend: AdvisorSpend) => void },
): (() => void) => {
  if (!tools.advisor || !request) return () => undefined;
  const advise = createAdvise(deps, turn, { advisor: tools.advisor, message, request, onSpend });
  return deps.stepAdvisors.add(message.id, advise);
};

/** Closes calls that were running when their worker crashed: whether they took effect is unknown. */
export const closeAbandoned = (calls: ToolCallPartRow[], now: Date): ToolCallPartRow[] =>
  calls.map((call) => ({
    ...call,
    ...settle({ type: "closed", reason: "server_stopped" }),
    completedAt: now,
  }));

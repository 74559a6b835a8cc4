import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import pLimit from "p-limit";
import type { AnsweredElicitation } from "@/contract/elicitation";
import type { AdvisorSpend } from "@/server/advisor/advisor-outcome";
import {
  type HistoryMessage,
  type ModelUse,
  OPEN_CALL_STATES,
  type ToolCallPartRow,
} from "@/server/db/chats/rows";
import type { SettledCalls } from "@/server/db/sql/machine/turn-commits";
import { type PreparedCalls, prepareCalls, requirePrepared } from "@/server/tools/prepare-call";
import { runTool } from "@/server/tools/run-tool";
import { settle, type ToolOutcome } from "@/server/tools/settle";
import type { CallDeps, StepContext } from "@/server/tools/tool-context";
import type { Toolbox } from "@/server/tools/toolbox";
import { createAdvise } from "./advise";
import { type CallRun, type RunDeps, type RunHost, startCallRun } from "./call-progress";
import { getLocalCalls } from "./decide-next";
import { calculateResultShare } from "./result-share";
import type { Advise } from "@/server/agents/running-steps";
import type { Turn, TurnDeps, TurnTools } from "./turn-deps";
import { toPrepareDeps, toToolChat } from "./turn-tools";

/** Calls of one batch that run concurrently. */
const CONCURRENT_CALLS = 8;

/** What a server is told whose question cannot be kept. */
const NO_ROOM = "Too many questions are open on this server, so that nobody can be asked now.";

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
  const callDeps: Omit<CallDeps, "onTruncated" | "emit" | "elicit"> = {
    step: createStepContext(deps, turn, message),
    saveArtifact,
    maxOutputBytes,
    openTask: (call, task) => deps.tasks.open(call, { ...task, saveArtifact, maxOutputBytes }),
  };
  const onSpend = (spend: AdvisorSpend) => uses.push({ id: deps.newId(), ...spend });
  const removeStep = deps.runningSteps.add(message.id, {
    chat: turn.chat,
    advise: findAdvise(deps, turn, { ...batch, onSpend }),
    claimNew: deps.claimNew,
  });
  const prepareDeps = toPrepareDeps(deps, turn.chat, tools.toolbox);
  deps.preview.reset(turn.chat.attempt, turn.chat.historyVersion);
  try {
    const isHeld = ({ toolCallId }: ToolCallPartRow): boolean =>
      deps.heldCalls.has({ chatId, toolCallId });
    const toPrepare = batch.calls.filter((call) => !isHeld(call));
    // A call that runs in another step than it was made in has been approved, or needed no approval.
    const passed = toPrepare.map((call) => ({ ...call, approved: true }));
    const prepared = batch.prepared ?? (await prepareCalls(passed, prepareDeps));
    const run = (
      call: ToolCallPartRow,
      { signal, emit, ...own }: RunDeps,
    ): Promise<ToolOutcome> => {
      const { toolCallId } = call;
      return runTool(toolCallId, requirePrepared(prepared, toolCallId), {
        ...callDeps,
        emit,
        step: { ...callDeps.step, signal },
        elicit: (elicitation, withdrawn) =>
          deps.heldCalls.hasRoom({ chatId, toolCallId })
            ? own.elicit(elicitation, withdrawn)
            : Promise.reject(new Error(NO_ROOM)),
        onTruncated: () => deps.meter.recordTruncation(call),
      });
    };
    const calls = await pLimit(CONCURRENT_CALLS).map(batch.calls, (call) =>
      runToRest(deps, {
        chatId,
        call,
        start: (host) => startCallRun((own) => run(call, own), host),
      }),
    );
    return { calls: await Promise.all(calls.map((call) => call.atRest())), uses };
  } finally {
    removeStep();
  }
};

type CallToRun = {
  chatId: string;
  call: ToolCallPartRow;
  start: (host: RunHost) => CallRun;
};

/** A call that has ended or asks. */
type RestingCall = {
  /** Returns the call when the others of its batch rest, too. Its question may have been withdrawn meanwhile. */
  atRest: () => Promise<ToolCallPartRow>;
};

/** Runs a call until it has ended or asks, or continues one that has asked. */
const runToRest = (
  { heldCalls, signal, preview, now }: TurnDeps,
  { chatId, call, start }: CallToRun,
): Promise<RestingCall> => {
  const key = { chatId, toolCallId: call.toolCallId };
  const host = { signal, emit: preview.write };
  const answer = call.elicitations?.at(-1)?.answer;
  const run = heldCalls.continue(key, { host, answer }) ?? start(host);
  const rest = async (elicitations: readonly AnsweredElicitation[]): Promise<RestingCall> => {
    const progress = await run.next();
    if (progress.type === "ended") {
      heldCalls.forget(key, run);
      const isOpen = OPEN_CALL_STATES.has(progress.outcome.state);
      const completedAt = isOpen ? null : now();
      const outcome = { ...progress.outcome, approved: false, completedAt };
      const ended = { ...call, ...outcome, elicitations: orNull(elicitations) };
      return { atRest: () => Promise.resolve(ended) };
    }
    const asked = [...elicitations, progress.elicitation];
    await heldCalls.keep(key, { run, asked: asked.length, turn: signal });
    const asking = { ...call, state: "awaiting_result" as const, approved: false };
    return {
      atRest: async () =>
        run.isAsking() ? { ...asking, elicitations: asked } : (await rest(asked)).atRest(),
    };
  };
  return rest(call.elicitations ?? []);
};

const orNull = <Item>(list: readonly Item[]): Item[] | null =>
  list.length === 0 ? null : [...list];

const createStepContext = (
  deps: TurnDeps,
  { chat, history }: Turn,
  message: HistoryMessage,
): StepContext => {
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
    .filter(({ toolName }) => !toolbox.repeatable.has(toolName))
    .map((call) => ({
      ...call,
      ...settle({ type: "closed", reason: "server_stopped" }),
      completedAt: now,
    }));

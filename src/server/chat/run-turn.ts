import type { FinishReason } from "@/contract/message";
import type { ClaimedChat } from "@/server/db/sql/claim";
import type { ChatRow, HistoryMessage, ToolCallPartRow } from "@/server/db/rows";
import type { AfterCommit } from "@/server/db/sql/turn-commits";
import { calculateCostMicros } from "@/server/model/calculate-cost";
import type { Toolbox } from "@/server/tools/toolbox";
import { type NextStep, decideNext, getActionTimeout } from "./decide-next";
import { type GeneratedStep, generateStep } from "./generate-step";
import { planStep } from "./plan-step";
import { meterCalls, meterStep } from "./meter-calls";
import { type Batch, closeAbandoned, type RanCalls, runCalls } from "./run-calls";
import { toToolChat } from "./turn-tools";
import type { Kept, StopReason, Turn, TurnPorts, TurnTools } from "./turn-ports";

/** A step leaves a turn to go on with, or the chat is out of this worker's hands. */
type Progress = Turn | "left";

/**
 * Works on a claimed chat until it rests, is parked, or is taken away. Every decision is made
 * from what is committed.
 *
 * Rejects only when the database is gone; the lease then runs out and another worker goes on.
 */
export const runTurn = async (ports: TurnPorts, claimed: ClaimedChat): Promise<void> => {
  try {
    if (claimed.status === "interrupting") {
      await ports.store.finishInterruption(claimed, {});
      return;
    }
    const tools = await ports.tools(claimed);
    const history = await ports.store.readHistory(claimed);
    let progress = await settleAbandoned(ports, { chat: claimed, history }, tools);
    while (progress !== "left") progress = await takeStep(ports, progress, tools);
  } finally {
    ports.preview.end();
  }
};

const takeStep = async (ports: TurnPorts, turn: Turn, tools: TurnTools): Promise<Progress> => {
  if (ports.signal.aborted) return stop(ports, turn.chat, {});
  if (ports.isStopping()) return giveBack(ports, turn.chat, {});
  const next = decide(turn, tools.toolbox);
  switch (next.type) {
    case "execute":
      return execute(ports, turn, { ...next, tools, asked: undefined, prepared: undefined });
    case "generate":
      return commitGenerated(ports, turn, {
        tools,
        generated: await generateStep(ports, turn, tools),
      });
    case "park":
    case "finish":
      return rest(ports, turn.chat, next);
  }
};

const decide = ({ chat, history }: Turn, toolbox: Toolbox): NextStep =>
  decideNext({
    history,
    turnSteps: chat.turnSteps,
    maxSteps: chat.maxSteps,
    isQueueEmpty: chat.queuedCount === 0,
    stopsTurn: (name) => toolbox.stopsTurn.has(name),
  });

const afterOf = (next: NextStep, chat: ChatRow): AfterCommit => {
  if (next.type === "park") {
    return { type: "park", timeoutSeconds: getActionTimeout(chat, next.calls) };
  }
  return { type: next.type === "finish" ? "finish" : "continue" };
};

const noticeOf = (next: NextStep): FinishReason | null =>
  next.type === "finish" && next.reason === "step_limit" ? "step-limit" : null;

/** Parks the chat or ends its turn. */
const rest = async (ports: TurnPorts, chat: ChatRow, next: NextStep): Promise<Progress> => {
  const rested = await ports.store.rest(chat, {
    after: afterOf(next, chat),
    notice: noticeOf(next),
  });
  return rested ? leave(ports, rested, next) : giveWay(ports, chat, {});
};

/** After a commit that was to end the turn: a queue that is not empty still has to be served. */
const leave = async (ports: TurnPorts, chat: ChatRow, next: NextStep): Promise<"left"> => {
  if (chat.status === "running" && next.type === "finish") await ports.store.finishTurn(chat);
  ports.meter.turnLeft(next.type === "park" ? "parked" : "finished");
  return "left";
};

/**
 * After a write that was refused. Either the chat is somebody else's now, and nothing happens; or
 * a person has stopped the turn a moment ago, and nobody but this worker can end it soon.
 */
const giveWay = async (ports: TurnPorts, chat: ChatRow, kept: Kept): Promise<"left"> => {
  await ports.store.finishInterruption(chat, kept);
  ports.meter.turnLeft("lost");
  return "left";
};

/** Gives the chat to another worker, or ends its turn when that was stopped meanwhile. */
const giveBack = async (ports: TurnPorts, chat: ChatRow, kept: Kept): Promise<"left"> => {
  await ports.store.finishInterruption(chat, kept);
  await ports.store.release(chat);
  ports.meter.turnLeft("shutdown");
  return "left";
};

const stop = async (ports: TurnPorts, chat: ChatRow, kept: Kept): Promise<"left"> => {
  const reason = ports.signal.reason as StopReason;
  if (reason === "shutdown") return giveBack(ports, chat, kept);
  if (reason === "interrupted") await ports.store.finishInterruption(chat, kept);
  ports.meter.turnLeft(reason);
  return "left";
};

const commitGenerated = async (
  ports: TurnPorts,
  turn: Turn,
  { generated, tools }: { generated: GeneratedStep; tools: TurnTools },
): Promise<Progress> => {
  switch (generated.type) {
    case "lost":
      return giveWay(ports, turn.chat, {});
    case "stopped":
      return stop(ports, generated.chat, { partial: generated.partial });
    case "failed":
      await ports.store.failTurn(generated.chat, generated.error);
      ports.meter.turnLeft("failed");
      return "left";
    case "finished":
      return commitStep(ports, { ...turn, chat: generated.chat }, { generated, tools });
  }
};

const commitStep = async (
  ports: TurnPorts,
  turn: Turn,
  {
    generated,
    tools,
  }: { generated: Extract<GeneratedStep, { type: "finished" }>; tools: TurnTools },
): Promise<Progress> => {
  const { model, outcome, prompt, promptBytes } = generated;
  const { toolbox } = tools;
  const { parts, prepared } = await planStep(outcome.parts, {
    toolbox,
    chat: toToolChat(turn.chat),
    log: ports.log,
    now: ports.now,
  });
  const message: HistoryMessage = {
    id: ports.newId(),
    role: "assistant",
    turnId: turn.chat.turnId,
    parts,
    model: model.label,
    createdBy: null,
  };
  const step = { ...turn.chat, turnSteps: turn.chat.turnSteps + 1 };
  const next = decide({ chat: step, history: [message] }, toolbox);
  const committed = await ports.store.commitStep(turn.chat, {
    step: {
      messageId: message.id,
      usageId: ports.newId(),
      model: model.label,
      parts,
      usage: outcome.usage,
      costMicros: calculateCostMicros(outcome.usage, model.prices),
      finishReason: noticeOf(next) ?? outcome.finishReason,
      responseId: outcome.responseId,
    },
    after: afterOf(next, turn.chat),
  });
  if (!committed) return giveWay(ports, turn.chat, { partial: { model: model.label, parts } });
  meterStep(ports.meter, model, { parts, toolbox });
  const grown = { chat: committed.chat, history: [...turn.history, committed.message] };
  ports.store.keepHistory(grown, promptBytes);
  if (next.type === "park" || next.type === "finish") return leave(ports, committed.chat, next);
  return next.type === "execute"
    ? execute(ports, grown, {
        message: committed.message,
        calls: next.calls,
        tools,
        asked: { prompt, model: model.label },
        prepared,
      })
    : grown;
};

const execute = async (ports: TurnPorts, turn: Turn, batch: Batch): Promise<Progress> => {
  const approved = batch.calls.filter((call) => call.approved);
  if (approved.length > 0) {
    const toolCallIds = approved.map(({ toolCallId }) => toolCallId);
    const started = await ports.store.startApprovedCalls(turn.chat, {
      messageId: batch.message.id,
      toolCallIds,
    });
    if (!started) return giveWay(ports, turn.chat, {});
  }
  const { calls: settled, uses } = await runCalls(ports, turn, batch);
  if (ports.signal.aborted && ports.signal.reason !== "shutdown") {
    const ended = settled.filter(({ state }) => state !== "cancelled");
    const messageId = batch.message.id;
    return stop(ports, turn.chat, { settled: { messageId, calls: ended, uses } });
  }
  const cutShort = ports.signal.aborted
    ? settled.flatMap((call) =>
        call.state === "cancelled" ? closeAbandoned([call], ports.now()) : [call],
      )
    : settled;
  return commitSettled(ports, turn, { ...batch, calls: cutShort, uses });
};

const commitSettled = async (
  ports: TurnPorts,
  turn: Turn,
  batch: Pick<Batch, "message" | "tools"> & RanCalls,
): Promise<Progress> => {
  const message = withOutcomes(batch.message, batch.calls);
  const settled = { messageId: message.id, calls: batch.calls, uses: batch.uses };
  const history = turn.history.map((row) => (row.id === message.id ? message : row));
  const next = decide({ chat: turn.chat, history }, batch.tools.toolbox);
  // A notice is written with the turn's end, which is a step of its own then.
  const goesOn = noticeOf(next) !== null || next.type === "generate" || next.type === "execute";
  const chat = await ports.store.settleCalls(turn.chat, {
    ...settled,
    after: goesOn ? { type: "continue" } : afterOf(next, turn.chat),
  });
  if (!chat) return giveWay(ports, turn.chat, { settled });
  meterCalls(ports.meter, batch.calls);
  return goesOn ? { chat, history } : leave(ports, chat, next);
};

const withOutcomes = (message: HistoryMessage, calls: ToolCallPartRow[]): HistoryMessage => {
  const outcomes = new Map(calls.map((call) => [call.toolCallId, call]));
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === "tool_call" ? (outcomes.get(part.toolCallId) ?? part) : part,
    ),
  };
};

/** What another worker had started when it died is closed before anything else is decided. */
const settleAbandoned = async (
  ports: TurnPorts,
  turn: Turn,
  tools: TurnTools,
): Promise<Progress> => {
  const next = decide(turn, tools.toolbox);
  const started = next.type === "execute" ? next.calls.filter((call) => !call.approved) : [];
  if (next.type !== "execute" || started.length === 0) return turn;
  return commitSettled(ports, turn, {
    message: next.message,
    calls: closeAbandoned(started, ports.now()),
    uses: [],
    tools,
  });
};

import { isDeepStrictEqual } from "node:util";
import type { ChatError } from "@/contract/chat-error";
import { isUnavailable } from "@/contract/domain-error";
import { waitForAgents } from "@/server/agents/wait-for-agents";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import { toFence } from "@/server/db/sql/machine/fence";
import {
  commitStep,
  restChat,
  settleCalls,
  startApprovedCalls,
} from "@/server/db/sql/machine/turn-commits";
import { settledParts } from "@/server/db/sql/rows/part-columns";
import { takeTurnReports } from "@/server/tasks/task-reports";
import type { ChatRow, HistoryMessage, MessageRow, ToolCallPartRow } from "@/server/db/chats/rows";
import {
  continues,
  decideNext,
  type NextStep,
  toAfterCommit,
  toNotice,
  withOutcomes,
} from "./decide-next";
import { type GeneratedStep, generateStep, toUse } from "./generate-step";
import { planStep } from "./plan-step";
import { meterCalls, meterStep } from "./meter-calls";
import { type Batch, closeAbandoned, type RanCalls, runCalls } from "./run-calls";
import { toPrepareDeps, toToolsBasis } from "./turn-tools";
import type { Turn, TurnDeps, TurnTools } from "./turn-deps";
import {
  abandonTurn,
  deferTurn,
  endTurn,
  failTurn,
  finishInterruption,
  releaseTurn,
  stopTurn,
  type TurnEnd,
} from "./end-turn";

/** What a step leads to: the turn to continue, or the end of this worker's part. */
type Progress = Turn | TurnEnd;

/**
 * Works on a claimed chat until it rests, is parked, or loses its lease. Every decision is based on
 * committed state.
 *
 * Rejects only when the database is unavailable; the lease then expires and another worker continues. Any
 * other throw would happen again in each further try, so it ends the turn.
 */
export const runTurn = async (deps: TurnDeps, claimed: ClaimedChat): Promise<void> => {
  try {
    await takeSteps(deps, claimed);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    deps.log.error({ err: error, turnId: claimed.turnId }, "turn failed by an error of the server");
    await failTurn(deps, claimed, { error: SERVER_ERROR });
    deps.meter.record("turns", { ending: "failed" });
  } finally {
    deps.heldCalls.endTurn(claimed.id, deps.signal);
    deps.preview.end();
  }
};

/** The cause is in the log; it may name what people must not see. */
const SERVER_ERROR: ChatError = {
  kind: "generic",
  message: "The server had an error while it worked on this answer. Its log has the cause.",
  retryable: true,
};

const takeSteps = async (deps: TurnDeps, claimed: ClaimedChat): Promise<void> => {
  if (claimed.status === "interrupting") {
    await finishInterruption(deps, claimed, {});
    return;
  }
  const { lastRetry, toolModes } = claimed;
  let tools = await deps.tools(claimed, toolModes);
  const history = await deps.histories.read(claimed);
  const turn = { chat: claimed, history, toolModes, lastRetry };
  let progress = await settleAbandoned(deps, turn, tools);
  while (progress !== "done") {
    tools = await updateTools(deps, progress, tools);
    progress = await takeStep(deps, progress, tools);
  }
};

/** Offers other tools when their modes, or the chat's choice, have changed since the step before. */
const updateTools = async (
  deps: TurnDeps,
  { chat, toolModes }: Turn,
  tools: TurnTools,
): Promise<TurnTools> =>
  isDeepStrictEqual(toToolsBasis(chat, toolModes), tools.basis)
    ? tools
    : deps.tools(chat, toolModes);

const takeStep = async (deps: TurnDeps, turn: Turn, tools: TurnTools): Promise<Progress> => {
  if (deps.signal.aborted) return stopTurn(deps, turn.chat, {});
  if (deps.isStopping()) return releaseTurn(deps, turn.chat, {});
  const next = decideNext(turn, tools.toolbox);
  switch (next.type) {
    case "execute":
      return execute(deps, turn, { ...next, tools, prompt: undefined, prepared: undefined });
    case "generate":
      if (turn.chat.reportCount > 0) return takeReports(deps, turn);
      return commitGenerated(deps, turn, {
        tools,
        generated: await generateStep(deps, turn, tools),
      });
    case "wait":
      return wait(deps, turn, next.message);
    case "park":
    case "finish":
      return rest(deps, turn.chat, next);
  }
};

/** The reports of tasks that have ended meanwhile come before the next answer. */
const takeReports = async (deps: TurnDeps, turn: Turn): Promise<Progress> => {
  const taken = await takeTurnReports(deps, turn.chat);
  if (!taken) return abandonTurn(deps, turn.chat, {});
  const { chat, message } = taken;
  deps.recent.add({ chat, messages: message ? [message] : [] });
  return { ...turn, chat, history: message ? [...turn.history, message] : turn.history };
};

/** Parks a chat that waits for agents, unless the wait is over. */
const wait = async (deps: TurnDeps, turn: Turn, message: HistoryMessage): Promise<Progress> => {
  const progress = await waitForAgents(deps, turn.chat, message);
  if (!progress) return abandonTurn(deps, turn.chat, {});
  const { chat } = progress;
  if (progress.type === "parked") return endTurn(deps, chat, { type: "wait", message });
  const outcomes = progress.ended.map(({ toolCallId, outcome }) => [toolCallId, outcome] as const);
  const ended = withOutcomes(message, new Map(outcomes));
  return {
    ...turn,
    chat,
    history: turn.history.map((row) => (row.id === message.id ? ended : row)),
  };
};

/** Parks the chat or ends its turn. */
const rest = async (deps: TurnDeps, chat: ChatRow, next: NextStep): Promise<Progress> => {
  const rested = await restChat(deps.db, toFence(chat), {
    after: toAfterCommit(next, chat),
    notice: toNotice(next),
  });
  return rested ? endTurn(deps, rested, next) : abandonTurn(deps, chat, {});
};

const commitGenerated = async (
  deps: TurnDeps,
  turn: Turn,
  { generated, tools }: { generated: GeneratedStep; tools: TurnTools },
): Promise<Progress> => {
  switch (generated.type) {
    case "lost":
      return abandonTurn(deps, turn.chat, {});
    case "stopped":
      return stopTurn(deps, generated.chat, { partial: generated.partial });
    case "failed":
      await failTurn(deps, generated.chat, generated);
      deps.meter.record("turns", { ending: "failed" });
      return "done";
    case "deferred":
      return deferTurn(deps, generated);
    case "finished":
      return commitAnswer(deps, { ...turn, chat: generated.chat }, { generated, tools });
  }
};

const commitAnswer = async (
  deps: TurnDeps,
  turn: Turn,
  {
    generated,
    tools,
  }: { generated: Extract<GeneratedStep, { type: "finished" }>; tools: TurnTools },
): Promise<Progress> => {
  const { model, outcome, prompt, promptBytes } = generated;
  const { toolbox } = tools;
  const { parts, prepared } = await planStep(outcome, {
    ...toPrepareDeps(deps, turn.chat, toolbox),
    now: deps.now,
  });
  const message: HistoryMessage = {
    id: deps.newId(),
    role: "assistant",
    turnId: turn.chat.turnId,
    parts,
    model: model.label,
    createdBy: null,
  };
  const step = { ...turn.chat, turnSteps: turn.chat.turnSteps + 1 };
  const next = decideNext({ chat: step, history: [message] }, toolbox);
  const use = toUse(deps, model, outcome.usage);
  const committed = await commitStep(deps.db, toFence(turn.chat), {
    step: {
      messageId: message.id,
      usageId: use.id,
      model: use.model,
      parts,
      usage: use.usage,
      costMicros: use.costMicros,
      finishReason: toNotice(next) ?? outcome.finishReason,
      responseId: outcome.responseId,
    },
    after: toAfterCommit(next, turn.chat),
  });
  if (!committed) {
    return abandonTurn(deps, turn.chat, { partial: { model: model.label, parts, use } });
  }
  meterStep(deps.meter, model, { parts, toolbox });
  const { chat, message: added, toolModes = turn.toolModes } = committed;
  const grown = { chat, history: [...turn.history, added], toolModes, answer: added };
  deps.recent.add({ chat, messages: [added] });
  deps.histories.add(chat, grown.history, promptBytes);
  if (next.type === "park" || next.type === "finish") return endTurn(deps, chat, next);
  return next.type === "execute"
    ? execute(deps, grown, {
        message: added,
        calls: next.calls,
        tools,
        prompt,
        prepared,
      })
    : grown;
};

const execute = async (deps: TurnDeps, turn: Turn, batch: Batch): Promise<Progress> => {
  const approved = batch.calls.filter((call) => call.approved);
  if (approved.length > 0) {
    const toolCallIds = approved.map(({ toolCallId }) => toolCallId);
    const started = await startApprovedCalls(deps.db, toFence(turn.chat), {
      messageId: batch.message.id,
      toolCallIds,
    });
    if (!started) return abandonTurn(deps, turn.chat, {});
  }
  const { calls: settled, uses } = await runCalls(deps, turn, batch);
  if (deps.signal.aborted && deps.signal.reason !== "shutdown") {
    const ended = settled.filter(({ state }) => state !== "cancelled");
    const messageId = batch.message.id;
    return stopTurn(deps, turn.chat, {
      settled: { messageId, calls: ended, uses },
      ran: settled,
    });
  }
  const isCut = ({ state }: ToolCallPartRow): boolean =>
    deps.signal.aborted && state === "cancelled";
  const { toolbox } = batch.tools;
  const calls = settled.flatMap((call) =>
    isCut(call) ? closeAbandoned([call], { toolbox, now: deps.now() }) : [call],
  );
  return calls.length === 0 ? turn : commitSettled(deps, turn, { ...batch, calls, uses });
};

const commitSettled = async (
  deps: TurnDeps,
  turn: Turn,
  batch: Pick<Batch, "message" | "tools"> & RanCalls,
): Promise<Progress> => {
  const outcomes = new Map(batch.calls.map((call) => [call.toolCallId, call]));
  const message = withOutcomes(batch.message, outcomes);
  const settled = { messageId: message.id, calls: batch.calls, uses: batch.uses };
  const history = turn.history.map((row) => (row.id === message.id ? message : row));
  const { toolbox } = batch.tools;
  const next = decideNext({ chat: turn.chat, history }, toolbox);
  const isOn = continues(next);
  const committed = await settleCalls(deps.db, toFence(turn.chat), {
    ...settled,
    after: isOn ? { type: "continue" } : toAfterCommit(next, turn.chat),
  });
  if (!committed) return abandonTurn(deps, turn.chat, { settled, ran: batch.calls });
  if (next.type === "park") deps.heldCalls.park(turn.chat.id, deps.signal);
  meterCalls(deps.meter, batch.calls);
  const { chat, toolModes = turn.toolModes } = committed;
  deps.db.reportEnded({ chatId: chat.id, calls: batch.calls });
  const answer = settleAnswer(turn.answer, { chat, ...settled });
  if (answer) deps.recent.add({ chat, messages: [answer] });
  if (!isOn) return endTurn(deps, chat, next);
  // By the tools that have run, as another step may not know them any more.
  const then = decideNext({ chat, history }, toolbox);
  return toNotice(then) === null ? { chat, history, toolModes, answer } : rest(deps, chat, then);
};

/** Returns the answer that a turn has committed as it would be read after these calls of it have settled. */
const settleAnswer = (
  answer: MessageRow | undefined,
  { chat, messageId, calls }: { chat: ChatRow; messageId: string } & Pick<RanCalls, "calls">,
): MessageRow | undefined =>
  answer?.id === messageId
    ? { ...answer, revision: chat.version, parts: settledParts(answer.parts, calls) }
    : undefined;

/**
 * Closes the calls that a crashed worker had started, before anything else is decided. Those that asked here go on, and
 * repeatable ones run again.
 */
const settleAbandoned = async (deps: TurnDeps, turn: Turn, tools: TurnTools): Promise<Progress> => {
  const { id: chatId } = turn.chat;
  const next = decideNext(turn, tools.toolbox);
  const open = "calls" in next ? next.calls : [];
  // The answer of another one may be gone, and its id may come again.
  deps.heldCalls.retain(
    chatId,
    open.map(({ toolCallId }) => toolCallId),
  );
  const isOurs = ({ toolCallId }: ToolCallPartRow): boolean =>
    deps.heldCalls.has({ chatId, toolCallId });
  if (next.type !== "execute") return turn;
  const started = next.calls.filter((call) => !call.approved && !isOurs(call));
  const calls = closeAbandoned(started, { toolbox: tools.toolbox, now: deps.now() });
  if (calls.length === 0) return turn;
  return commitSettled(deps, turn, {
    message: next.message,
    calls,
    uses: [],
    tools,
  });
};

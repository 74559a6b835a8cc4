import { isDeepStrictEqual } from "node:util";
import type { ChatError } from "@/contract/chat-error";
import { isUnavailable } from "@/contract/domain-error";
import { waitForAgents } from "@/server/agents/wait-for-agents";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import { toFence } from "@/server/db/sql/machine/fence";
import { commitStep } from "@/server/db/sql/machine/turn-commits";
import { toModelHistory } from "@/server/machine/model-history";
import { takeTurnReports } from "@/server/tasks/task-reports";
import type { ChatRow, HistoryMessage } from "@/server/db/chats/rows";
import { estimateContext } from "./compaction/estimate-tokens";
import { checkFormat } from "./check-format";
import { compactDue, compactRequested } from "./compaction/compact-history";
import { decideNext, toAfterCommit, toNotice, withOutcomes } from "./decide-next";
import { type GeneratedStep, generateStep, toUse } from "./generate-step";
import { planStep } from "./plan-step";
import { takeSteering } from "./take-steering";
import { executeCalls, rest, settleAbandoned } from "./execute-calls";
import { meterStep } from "./meter-calls";
import { toToolsBasis } from "./turn-tools";
import type { Progress, Turn, TurnDeps, TurnEnd, TurnTools } from "./turn-deps";
import {
  abandonTurn,
  deferTurn,
  endTurn,
  failTurn,
  finishInterruption,
  releaseTurn,
  stopTurn,
} from "./end-turn";

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
    const basis = toToolsBasis(progress.chat, progress.toolModes);
    // Their modes, or the chat's choice, may have changed since the step before.
    if (!isDeepStrictEqual(basis, tools.basis)) {
      tools = await deps.tools(progress.chat, progress.toolModes);
    }
    progress = await takeStep(deps, progress, tools);
  }
};

const takeStep = async (deps: TurnDeps, turn: Turn, tools: TurnTools): Promise<Progress> => {
  if (deps.signal.aborted) return stopTurn(deps, turn.chat, {});
  if (deps.stopping.aborted) return releaseTurn(deps, turn.chat, {});
  const next = decideNext(turn, tools.toolbox);
  switch (next.type) {
    case "execute":
      return executeCalls(deps, turn, { ...next, tools, prompt: undefined, prepared: undefined });
    case "generate": {
      if (turn.chat.reportCount > 0) return takeReports(deps, turn);
      const steered = turn.chat.queuedCount > 0 ? await steer(deps, turn) : undefined;
      return steered ?? generate(deps, turn, tools);
    }
    case "compact":
      return compactRequested(deps, turn, tools);
    case "wait":
      return wait(deps, turn, next.message);
    case "park":
    case "finish":
      return rest(deps, turn.chat, next);
  }
};

const generate = async (deps: TurnDeps, turn: Turn, tools: TurnTools): Promise<Progress> => {
  const generated = await generateStep(deps, turn, tools);
  switch (generated.type) {
    case "finished":
      return commitAnswer(deps, { ...turn, chat: generated.chat }, { generated, tools });
    case "full":
      return compactDue(deps, { ...turn, chat: generated.chat }, { ...generated, tools });
    default:
      return endUnfinished(deps, turn.chat, generated);
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

/** A message that is to enter the turn comes before the next answer. @returns undefined when none does. */
const steer = async (deps: TurnDeps, turn: Turn): Promise<Progress | undefined> => {
  const taken = await takeSteering(deps, turn.chat);
  if (taken === "lost") return abandonTurn(deps, turn.chat, {});
  const { chat, messages } = taken;
  if (messages.length === 0) return undefined;
  deps.recent.add({ chat, messages });
  return { ...turn, chat, history: [...turn.history, ...messages] };
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

type FinishedGeneration = Extract<GeneratedStep, { type: "finished" }>;

/** Ends this worker's part of a turn whose step has no answer. */
const endUnfinished = async (
  deps: TurnDeps,
  chat: ChatRow,
  generated: Exclude<GeneratedStep, { type: "finished" | "full" }>,
): Promise<TurnEnd> => {
  switch (generated.type) {
    case "lost":
      return abandonTurn(deps, chat, {});
    case "stopped":
      return stopTurn(deps, generated.chat, { partial: generated.partial });
    case "failed":
      await failTurn(deps, generated.chat, generated);
      deps.meter.record("turns", { ending: "failed" });
      return "done";
    case "deferred":
      return deferTurn(deps, generated);
  }
};

const commitAnswer = async (
  deps: TurnDeps,
  turn: Turn,
  { generated, tools }: { generated: FinishedGeneration; tools: TurnTools },
): Promise<Progress> => {
  const { model, outcome, prompt, promptBytes } = generated;
  const { toolbox } = tools;
  const { parts, prepared } = await planStep(deps, turn.chat, { outcome, toolbox });
  const formatCheck = await checkFormat(turn.chat, turn.history, parts);
  const message: HistoryMessage = {
    id: deps.newId(),
    seq: turn.chat.lastSeq + 1,
    role: "assistant",
    turnId: turn.chat.turnId,
    parts,
    model: model.label,
    usage: outcome.usage,
    createdBy: null,
    formatCheck,
  };
  const step = { ...turn.chat, turnSteps: turn.chat.turnSteps + 1 };
  // Of the answers before, only those without their form count.
  const history = formatCheck ? [...turn.history, message] : [message];
  const next = decideNext({ chat: step, history }, toolbox);
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
      formatCheck,
      contextTokens: estimateContext(message, promptBytes),
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
  // What is before a boundary is in the history, and not in the prompt.
  const unread = grown.history.length / toModelHistory(grown.history).length;
  deps.histories.add(chat, grown.history, promptBytes * unread);
  if (next.type === "park" || next.type === "finish") return endTurn(deps, chat, next);
  return next.type === "execute"
    ? executeCalls(deps, grown, {
        message: added,
        calls: next.calls,
        tools,
        prompt,
        prepared,
      })
    : grown;
};

import type { ChatRow, MessageRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { toFence } from "@/server/db/sql/machine/fence";
import type { AfterCommit } from "@/server/db/sql/machine/after-commit";
import { restChat, settleCalls, startApprovedCalls } from "@/server/db/sql/machine/turn-commits";
import { settledParts, withDeadlines } from "@/server/db/sql/rows/part-columns";
import {
  continues,
  decideNext,
  type NextStep,
  toAfterCommit,
  toNotice,
  withOutcomes,
} from "./decide-next";
import { abandonTurn, endTurn, stopTurn } from "./end-turn";
import { meterCalls } from "./meter-calls";
import { type Batch, closeAbandoned, type RanCalls, runCalls } from "./run-calls";
import type { Progress, Turn, TurnDeps, TurnTools } from "./turn-deps";

/** Runs the calls of a message and commits their outcomes. */
export const executeCalls = async (deps: TurnDeps, turn: Turn, batch: Batch): Promise<Progress> => {
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
    const messageId = batch.message.id;
    return stopTurn(deps, turn.chat, {
      settled: { messageId, calls: settled, uses },
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
  const after: AfterCommit = isOn ? { type: "continue" } : toAfterCommit(next, turn.chat);
  const committed = await settleCalls(deps.db, toFence(turn.chat), { ...settled, after });
  if (!committed) return abandonTurn(deps, turn.chat, { settled, ran: batch.calls });
  if (next.type === "park") deps.heldCalls.park(turn.chat.id, deps.signal);
  meterCalls(deps.meter, batch.calls);
  const { chat, toolModes = turn.toolModes } = committed;
  deps.db.reportEnded({ chatId: chat.id, calls: batch.calls });
  const answer = settleAnswer(turn.answer, { chat, ...settled, after });
  if (answer) deps.recent.add({ chat, messages: [answer] });
  if (!isOn) return endTurn(deps, chat, next);
  // By the tools that have run, as another step may not know them any more.
  const then = decideNext({ chat, history }, toolbox);
  return toNotice(then) === null ? { chat, history, toolModes, answer } : rest(deps, chat, then);
};

type SettledStep = Pick<RanCalls, "calls"> & {
  chat: ChatRow;
  messageId: string;
  after: AfterCommit;
};

/** Returns the answer that a turn has committed as it would be read after these calls of it have settled. */
const settleAnswer = (
  answer: MessageRow | undefined,
  { chat, messageId, calls, after }: SettledStep,
): MessageRow | undefined => {
  if (answer?.id !== messageId) return undefined;
  const timeouts = after.type === "park" ? after.timeouts : [];
  const parts = withDeadlines(settledParts(answer.parts, calls), timeouts, chat.updatedAt);
  return { ...answer, revision: chat.version, parts };
};

/**
 * Closes the calls that a crashed worker had started, before anything else is decided. Those that asked here go on, and
 * repeatable ones run again.
 */
export const settleAbandoned = async (
  deps: TurnDeps,
  turn: Turn,
  tools: TurnTools,
): Promise<Progress> => {
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

/** Parks the chat or ends its turn. */
export const rest = async (deps: TurnDeps, chat: ChatRow, next: NextStep): Promise<Progress> => {
  const rested = await restChat(deps.db, toFence(chat), {
    after: toAfterCommit(next, chat),
    notice: toNotice(next),
  });
  return rested ? endTurn(deps, rested, next) : abandonTurn(deps, chat, {});
};

import { mapConcurrently } from "@/lib/map-concurrently";
import type { MessageRow, ToolCallPartRow } from "@/server/db/rows";
import { runTool } from "@/server/tools/run-tool";
import { settle } from "@/server/tools/settle";
import type { Toolbox } from "@/server/tools/toolbox";
import { MAX_RESULT_BYTES } from "./prompt/tool-result-part";
import type { Turn, TurnPorts } from "./turn-ports";

/** Calls of one batch that run at the same time. */
const CONCURRENT_CALLS = 8;

/** Runs calls of one message. @returns them with their outcomes, in call order. */
export const runCalls = async (
  ports: TurnPorts,
  turn: Turn,
  batch: { message: MessageRow; calls: ToolCallPartRow[]; toolbox: Toolbox },
): Promise<ToolCallPartRow[]> => {
  const { message, calls, toolbox } = batch;
  const replyTo = turn.history.findLast(({ role }) => role === "user");
  const seams = {
    ...ports.callSeams(turn.chat, message, replyTo),
    maxOutputBytes: MAX_RESULT_BYTES,
    emit: ports.preview.write,
    signal: ports.signal,
    now: ports.now,
    newId: ports.newId,
  };
  ports.preview.reset(turn.chat.attempt, turn.chat.historyVersion);
  return mapConcurrently(calls, CONCURRENT_CALLS, async (call) => ({
    ...call,
    ...(await runTool(call, toolbox, seams)),
    approved: false,
    completedAt: ports.now(),
  }));
};

/** Calls that were running when their worker died: nobody knows whether they took effect. */
export const closeAbandoned = (calls: ToolCallPartRow[], now: Date): ToolCallPartRow[] =>
  calls.map((call) => ({
    ...call,
    ...settle({ type: "closed", reason: "server_stopped" }),
    completedAt: now,
  }));

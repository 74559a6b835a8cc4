import pLimit from "p-limit";
import type { HistoryMessage, ToolCallPartRow } from "@/server/db/rows";
import type { SettledCalls } from "@/server/db/sql/turn-commits";
import type { AdvisorUse } from "@/server/db/sql/usage";
import { runTool } from "@/server/tools/run-tool";
import { settle } from "@/server/tools/settle";
import { createAdvise } from "./advise";
import { MAX_RESULT_BYTES } from "./prompt/tool-result-part";
import type { AskedStep, Turn, TurnPorts, TurnTools } from "./turn-ports";

/** Calls of one batch that run at the same time. */
const CONCURRENT_CALLS = 8;

/** Calls of one message that are to be run. */
export type Batch = {
  message: HistoryMessage;
  calls: ToolCallPartRow[];
  tools: TurnTools;
  /** Undefined when the step was made before this worker had the chat. */
  asked: AskedStep | undefined;
};

export type RanCalls = Pick<SettledCalls, "calls" | "uses">;

/** Runs calls of one message. @returns them with their outcomes, in call order. */
export const runCalls = async (ports: TurnPorts, turn: Turn, batch: Batch): Promise<RanCalls> => {
  const { message, asked, tools } = batch;
  const uses: AdvisorUse[] = [];
  const replyTo = turn.history.find(
    ({ role, turnId }) => role === "user" && turnId === turn.chat.turnId,
  );
  const seams = {
    ...ports.callSeams(turn.chat, message, replyTo),
    advise:
      tools.advisor &&
      asked &&
      createAdvise(ports, turn, {
        advisor: tools.advisor,
        message,
        asked,
        onSpend: (spend) => uses.push({ id: ports.newId(), ...spend }),
      }),
    maxOutputBytes: MAX_RESULT_BYTES,
    emit: ports.preview.write,
    signal: ports.signal,
    now: ports.now,
    newId: ports.newId,
  };
  ports.preview.reset(turn.chat.attempt, turn.chat.historyVersion);
  const calls = await pLimit(CONCURRENT_CALLS).map(batch.calls, async (call) => ({
    ...call,
    ...(await runTool(call, tools.toolbox, seams)),
    approved: false,
    completedAt: ports.now(),
  }));
  return { calls, uses };
};

/** Calls that were running when their worker died: nobody knows whether they took effect. */
export const closeAbandoned = (calls: ToolCallPartRow[], now: Date): ToolCallPartRow[] =>
  calls.map((call) => ({
    ...call,
    ...settle({ type: "closed", reason: "server_stopped" }),
    completedAt: now,
  }));

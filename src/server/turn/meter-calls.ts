import { OPEN_CALL_STATES, type PartRow, type ToolCallPartRow } from "@/server/db/chats/rows";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { ChatModel } from "@/server/model/model-step";
import { findExclusiveCall } from "@/server/tools/exclusive-policy";
import type { Toolbox } from "@/server/tools/toolbox";

/** Counts a committed step and its calls that were rejected before they ran. */
export const meterStep = (
  meter: TurnMeter,
  model: ChatModel,
  { parts, toolbox }: { parts: readonly PartRow[]; toolbox: Toolbox },
): void => {
  meter.recordStep(model);
  const calls = parts
    .filter((part) => part.type === "tool_call")
    .filter(({ kind }) => kind !== "provider");
  meterCalls(meter, calls);
  const exclusive = findExclusiveCall(calls, toolbox.exclusive);
  if (exclusive) meter.recordRejectedBatch(exclusive, calls.length);
};

/** Counts calls that this worker settled, without those that go on. */
export const meterCalls = (meter: TurnMeter, calls: readonly ToolCallPartRow[]): void => {
  for (const call of calls.filter(({ state }) => !OPEN_CALL_STATES.has(state))) {
    const bytes = Buffer.byteLength(JSON.stringify(call.output ?? null));
    meter.recordCall(call, { isError: call.isError, bytes });
  }
};

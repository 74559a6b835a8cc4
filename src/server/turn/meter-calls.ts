import type { AdvisorResult, AdvisorUsage } from "@/contract/advisor";
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
  meter.record("steps", model);
  const calls = parts
    .filter((part) => part.type === "tool_call")
    .filter(({ kind }) => kind !== "provider");
  if (calls.length === 0) return;
  meterCalls(meter, calls);
  const exclusive = findExclusiveCall(calls, toolbox.exclusive);
  if (exclusive) meter.record("rejections", meter.labelTool(exclusive), calls.length);
};

type MeteredCall = Pick<ToolCallPartRow, "kind" | "toolName" | "state" | "isError" | "output">;

/** Counts calls that this worker settled, without those that go on. */
export const meterCalls = (meter: TurnMeter, calls: readonly MeteredCall[]): void => {
  for (const call of calls.filter(({ state }) => !OPEN_CALL_STATES.has(state))) {
    const bytes = Buffer.byteLength(JSON.stringify(call.output ?? null));
    const labels = meter.labelTool(call);
    meter.record("resultBytes", labels, bytes);
    if (call.isError) meter.record("toolErrors", labels);
  }
};

type AdvisorRequest = {
  ending: AdvisorResult["type"] | "aborted";
  seconds: number;
  usage: AdvisorUsage | undefined;
  isRefunded: boolean;
};

/** The label of all that is recorded of the advisor. */
const ADVISOR = { tool: "advisor" };

export const meterAdvisor = (
  { record }: Pick<TurnMeter, "record">,
  { ending, seconds, usage, isRefunded }: AdvisorRequest,
): void => {
  record("advisorRequests", { ...ADVISOR, outcome: ending });
  // At the limit no request is sent, so there is no duration.
  if (ending !== "limit_reached") record("advisorSeconds", ADVISOR, seconds);
  if (isRefunded) record("advisorRefunds", ADVISOR);
  if (!usage) return;
  record("advisorTokens", { ...ADVISOR, direction: "input" }, usage.input_tokens);
  record("advisorTokens", { ...ADVISOR, direction: "output" }, usage.output_tokens);
};

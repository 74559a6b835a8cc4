import type { JsonValue } from "@/contract/json";
import type { PartRow, ProviderMetadata, ToolCallPartRow } from "@/server/db/rows";
import { NO_OUTCOME } from "@/server/db/sql/part-columns";
import type { StepPart } from "@/server/model/model-step";
import { exclusivePolicy } from "@/server/tools/exclusive-policy";
import { parseArguments } from "@/server/tools/parse-arguments";
import { prepareCall } from "@/server/tools/prepare-call";
import type { ToolOutcome } from "@/server/tools/settle";
import type { Toolbox } from "@/server/tools/toolbox";

type StepCall = Extract<StepPart, { type: "tool_call" }>;

/** An answer's parts as they are stored, each tool call with its first state or its refusal. */
export const planStep = (
  parts: readonly StepPart[],
  { toolbox, now }: { toolbox: Toolbox; now: () => Date },
): PartRow[] => {
  const calls = parts.filter((part) => part.type === "tool_call");
  const refused = exclusivePolicy(calls, toolbox.exclusive);
  return parts.map((part) => {
    if (part.type !== "tool_call") return storedPart(part);
    if (part.providerExecuted) return providerCall(part, now());
    const call = openCall(part, toolbox);
    const outcome = refused?.get(part.toolCallId);
    return outcome ? ended(call, outcome, now()) : prepared(call, { toolbox, now: now() });
  });
};

/** What is left of an answer that was interrupted: everything announced, calls still open. */
export const planPartial = (
  parts: readonly StepPart[],
  { toolbox, now }: { toolbox: Toolbox; now: () => Date },
): PartRow[] =>
  parts
    .filter((part) => part.type === "tool_call" || part.type === "source" || part.text !== "")
    .map((part) => {
      if (part.type !== "tool_call") return storedPart(part);
      return part.providerExecuted ? providerCall(part, now()) : openCall(part, toolbox);
    });

const storedPart = (part: Exclude<StepPart, StepCall>): PartRow => {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...metadata(part) };
    case "reasoning":
      return {
        type: "reasoning",
        text: part.text,
        startedAt: part.startedAt,
        completedAt: part.completedAt,
        ...metadata(part),
      };
    case "source":
      return {
        type: "source",
        data: { url: part.url, ...(part.title !== undefined && { title: part.title }) },
      };
  }
};

const metadata = (part: {
  providerMetadata?: Record<string, { [key: string]: unknown }>;
}): { providerMetadata?: ProviderMetadata } =>
  // It came out of a JSON response, so it is JSON.
  part.providerMetadata ? { providerMetadata: part.providerMetadata as ProviderMetadata } : {};

const callPart = (
  part: StepCall,
  fields: Pick<ToolCallPartRow, "kind" | "state">,
): ToolCallPartRow => ({
  type: "tool_call",
  toolCallId: part.toolCallId,
  toolName: part.toolName,
  args: parseArguments(part.input),
  startedAt: part.startedAt,
  ...NO_OUTCOME,
  ...metadata(part),
  ...fields,
});

const providerCall = (part: StepCall, now: Date): ToolCallPartRow => ({
  ...callPart(part, { kind: "provider", state: part.isError ? "error" : "completed" }),
  // It came out of a JSON response, so it is JSON.
  output: (part.output ?? null) as JsonValue,
  isError: part.isError ?? false,
  completedAt: now,
});

const openCall = (part: StepCall, toolbox: Toolbox): ToolCallPartRow =>
  callPart(part, { kind: toolbox.find(part.toolName)?.kind ?? "builtin", state: "running" });

const ended = (call: ToolCallPartRow, outcome: ToolOutcome, now: Date): ToolCallPartRow => ({
  ...call,
  ...outcome,
  completedAt: now,
});

const prepared = (
  call: ToolCallPartRow,
  { toolbox, now }: { toolbox: Toolbox; now: Date },
): ToolCallPartRow => {
  const preparation = prepareCall(call, toolbox);
  switch (preparation.type) {
    case "refused":
      return ended(call, preparation.outcome, now);
    case "dynamic":
      return { ...call, state: "awaiting_result" };
    case "run":
      return preparation.call.needsApproval ? { ...call, state: "awaiting_approval" } : call;
  }
};

import type { JsonObject, JsonValue } from "@/contract/json";
import { MAX_CALLS_PER_STEP } from "@/contract/limits";
import type { FinishReason } from "@/contract/message";
import {
  type CallDefinition,
  type ChatRow,
  type PartRow,
  type ToolCallPartRow,
  waitsForClient,
} from "@/server/db/chats/rows";
import { NO_OUTCOME } from "@/server/db/sql/rows/part-columns";
import type { FinishedStep, StepPart } from "@/server/model/model-step";
import { applyExclusivePolicy } from "@/server/tools/exclusive-policy";
import { omitNulls } from "@/server/tools/omit-nulls";
import { parseArguments } from "@/server/tools/parse-arguments";
import {
  type PreparedCall,
  type PreparedCalls,
  prepareCalls,
  requirePrepared,
} from "@/server/tools/prepare-call";
import { settle, type ToolOutcome } from "@/server/tools/settle";
import type { OfferedTool } from "@/server/tools/tool-source";
import type { Toolbox } from "@/server/tools/toolbox";
import type { TurnDeps } from "./turn-deps";
import { toPrepareDeps } from "./turn-tools";

type StepCall = Extract<StepPart, { type: "tool_call" }>;

/**
 * Plans an answer's parts as they are stored, each tool call with its first state or its refusal.
 *
 * @returns also the prepared calls, so that running them in the same step does not prepare them again.
 */
export const planStep = async (
  deps: Pick<TurnDeps, "db" | "log" | "now">,
  chat: ChatRow,
  { outcome: { parts, finishReason }, toolbox }: { outcome: FinishedStep; toolbox: Toolbox },
): Promise<{ parts: PartRow[]; prepared: PreparedCalls }> => {
  const plain = parts.filter((part) => part.type !== "tool_call");
  if (plain.length === parts.length) return { parts: plain.map(toStoredPart), prepared: new Map() };
  const calls = parts.filter((part) => part.type === "tool_call");
  const refused = applyExclusivePolicy(calls, toolbox.exclusive);
  const local = calls.filter(({ providerExecuted }) => !providerExecuted);
  const unusable = findUnusableCalls(local, finishReason);
  const open = new Map(local.map((part) => [part, createOpenCall(part, toolbox)]));
  const usable = local.filter((part) => !unusable.has(part));
  const prepared: PreparedCalls = refused
    ? new Map()
    : await prepareCalls(
        usable.flatMap((part) => open.get(part) ?? []),
        toPrepareDeps(deps, chat, toolbox),
      );
  const planCall = (part: StepCall): ToolCallPartRow => {
    const call = open.get(part);
    if (!call) return toProviderCall(part, deps.now());
    const message = unusable.get(part);
    if (message !== undefined) {
      return settleCall(call, settle({ type: "refused", message }), deps.now());
    }
    const outcome = refused?.get(part.toolCallId);
    if (outcome) return settleCall(call, outcome, deps.now());
    const started = startCall(call, requirePrepared(prepared, part.toolCallId), deps.now());
    const definition = findDefinition(chat, toolbox.offered.get(call.toolName));
    return waitsForClient(started) ? { ...started, definition } : started;
  };
  return {
    parts: parts.map((part) => (part.type === "tool_call" ? planCall(part) : toStoredPart(part))),
    prepared,
  };
};

/** Parts kept from an answer that is not complete: non-empty parts and all calls with a name, still open. */
export const planPartial = (
  parts: readonly StepPart[],
  { toolbox, now }: { toolbox: Toolbox; now: () => Date },
): PartRow[] =>
  parts
    .filter((part) => {
      if (part.type === "tool_call") return part.toolName.trim() !== "";
      return part.type === "source" || part.text !== "";
    })
    .map((part) => {
      if (part.type !== "tool_call") return toStoredPart(part);
      return part.providerExecuted ? toProviderCall(part, now()) : createOpenCall(part, toolbox);
    });

const toStoredPart = (part: Exclude<StepPart, StepCall>): PartRow => {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, providerMetadata: part.providerMetadata };
    case "reasoning":
      return part;
    case "source":
      return {
        type: "source",
        data: { url: part.url, ...(part.title !== undefined && { title: part.title }) },
      };
  }
};

const createCallPart = (
  part: StepCall,
  fields: Pick<ToolCallPartRow, "kind" | "state">,
): ToolCallPartRow => ({
  type: "tool_call",
  toolCallId: part.toolCallId,
  toolName: part.toolName,
  args: parseArguments(part.input),
  approvedArgs: null,
  approvalScope: null,
  startedAt: part.startedAt,
  ...NO_OUTCOME,
  providerMetadata: part.providerMetadata,
  ...fields,
});

const toProviderCall = (part: StepCall, now: Date): ToolCallPartRow => ({
  ...createCallPart(part, { kind: "provider", state: findProviderState(part) }),
  // Parsed from a JSON response, so the cast is safe.
  output: (part.output ?? null) as JsonValue,
  isError: part.isError ?? false,
  completedAt: now,
});

/** A call without a result was stopped, or goes on in the next answer, which then has it. */
const findProviderState = ({ output, isError }: StepCall): ToolCallPartRow["state"] => {
  if (output === undefined) return "cancelled";
  return isError ? "error" : "completed";
};

const createOpenCall = (part: StepCall, toolbox: Toolbox): ToolCallPartRow => {
  const tool = toolbox.offered.get(part.toolName);
  const call = createCallPart(part, { kind: tool?.kind ?? "builtin", state: "running" });
  // A built-in tool drops such nulls itself.
  if (!tool || tool.kind === "builtin") return call;
  return { ...call, args: omitNulls(call.args, tool.parameters as JsonObject) };
};

/** The chat may get other tools while a call is open. */
const findDefinition = (
  { actionTimeoutSeconds }: Pick<ChatRow, "actionTimeoutSeconds">,
  tool: OfferedTool | undefined,
): CallDefinition | null =>
  tool?.definition
    ? {
        ...tool.definition,
        timeout_seconds: tool.definition.timeout_seconds ?? actionTimeoutSeconds,
      }
    : null;

const settleCall = (call: ToolCallPartRow, outcome: ToolOutcome, now: Date): ToolCallPartRow => ({
  ...call,
  ...outcome,
  completedAt: now,
});

const startCall = (
  call: ToolCallPartRow,
  preparation: PreparedCall,
  now: Date,
): ToolCallPartRow => {
  switch (preparation.type) {
    case "refused":
      return settleCall(call, preparation.outcome, now);
    case "wait":
    case "run":
      if (preparation.needsApproval) {
        return { ...call, state: "awaiting_approval", approvalScope: preparation.approvalScope };
      }
      return preparation.type === "run" ? call : { ...call, state: "awaiting_result" };
  }
};

/**
 * Finds the calls of an answer that must not run, nor wait for a client: those that the end of the answer has
 * cut, those over the limit, and those that the model layer could not read.
 *
 * @param calls the calls that the worker or a client would run, in call order.
 * @returns why, by call, as a sentence for the model.
 */
export const findUnusableCalls = (
  calls: readonly StepCall[],
  finishReason: FinishReason,
): Map<StepCall, string> =>
  new Map(
    calls.flatMap((call, index): [StepCall, string][] => {
      if (index >= MAX_CALLS_PER_STEP) return [[call, TOO_MANY_CALLS]];
      if (call.problem !== undefined) return [[call, call.problem]];
      if (call.isIncomplete) return [[call, INCOMPLETE_CALL]];
      const cause = CUT_BY[finishReason];
      // Calls arrive one after the other, so that the end of an answer cuts the last one only.
      const isCut = cause !== undefined && (index === calls.length - 1 || !hasArguments(call));
      return isCut ? [[call, `Not run: ${cause} before this call was complete. ${TRY_AGAIN}`]] : [];
    }),
  );

const TRY_AGAIN = "Nothing of it took effect. Call it again, if necessary with shorter arguments.";
const INCOMPLETE_CALL = `Not run: the arguments of this call did not arrive completely. ${TRY_AGAIN}`;
const TOO_MANY_CALLS = `Not run: an answer can have at most ${MAX_CALLS_PER_STEP} tool calls. This call and all after it were left out. Make them in your next answer.`;

const CUT_BY: Partial<Record<FinishReason, string>> = {
  length: "your answer reached its length limit",
  "content-filter": "the provider's content filter ended your answer",
};

/** False for arguments that are empty or no JSON, such as the first half of an object. */
const hasArguments = ({ input }: StepCall): boolean =>
  input.trim() !== "" && typeof parseArguments(input) !== "string";

import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
} from "@ai-sdk/provider";
import { MAX_CALLS_PER_STEP } from "@/contract/limits";
import { RESULT, RESUMED, RETURNED } from "@/server/model/return-fields";
import type { StepPart, StepSink } from "@/server/model/model-step";
import { mergeMetadata, type OpenPart, type PartList } from "./part-list";
import { restoreNumbers } from "./repairs/google-numbers";

type CallPart = Extract<StepPart, { type: "tool_call" }>;
type OpenCall = OpenPart<CallPart> & { isComplete: boolean };
type InputEvent = Extract<
  LanguageModelV4StreamPart,
  { type: "tool-input-start" | "tool-input-delta" | "tool-input-end" }
>;

/** Longest id of a call that all providers accept; OpenAI has the lowest limit. */
export const MAX_CALL_ID_LENGTH = 64;
/** Of a random UUID without dashes. */
const RANDOM_LENGTH = 32;
/** Longer than the name of any tool, so that a name that is cut never becomes one. */
const MAX_TOOL_NAME_LENGTH = 128;

const isUsableId = (id: string): boolean => id.length <= MAX_CALL_ID_LENGTH && /^[\w-]+$/.test(id);

/** Gateways append the signature of the model's reasoning, a few KB of printable characters. */
const SIGNED_ID = /^[!-~]{1,65536}$/;

/** Keeps an id that is unusable elsewhere, to be returned to its server. */
const keepSignedId = (id: string): Pick<CallPart, "providerMetadata"> =>
  isUsableId(id) || !SIGNED_ID.test(id)
    ? {}
    : { providerMetadata: { [RETURNED]: { call_id: id } } };

/** @returns the ids of all calls of a prompt. */
const findCallIds = (prompt: LanguageModelV4Prompt): Set<string> =>
  new Set(
    prompt.flatMap(({ role, content }) =>
      role === "assistant"
        ? content.flatMap((part) => (part.type === "tool-call" ? part.toolCallId : []))
        : [],
    ),
  );

type DeferredCall = { toolName: string; input: string };

/** @returns by their ids, the calls that the provider runs before this answer: those of the last answer without a result. */
const findDeferredCalls = (prompt: LanguageModelV4Prompt): Map<string, DeferredCall> => {
  const content = prompt.findLast(({ role }) => role === "assistant")?.content ?? [];
  const deferred = new Map<string, DeferredCall>();
  for (const part of typeof content === "string" ? [] : content) {
    if (part.type === "tool-call" && part.providerExecuted) {
      const { toolCallId, toolName, input } = part;
      deferred.set(toolCallId, { toolName, input: JSON.stringify(input) });
    } else if (part.type === "tool-result") deferred.delete(part.toolCallId);
  }
  return deferred;
};

/** A provider may refuse an id that begins otherwise. */
const toResumedId = (id: string): string =>
  `${id.slice(0, MAX_CALL_ID_LENGTH - RANDOM_LENGTH - 1)}_${randomUUID().replaceAll("-", "")}`;

type AssemblerDeps = {
  sink: StepSink;
  now: () => Date;
  /** The prompt that is answered; a new call must not have the id of one of its calls. */
  prompt: LanguageModelV4Prompt;
};

/** Creates the list of an answer's calls. */
const createCallList = (list: PartList, { sink, now, prompt }: AssemblerDeps) => {
  /** By the provider's id. */
  const byId = new Map<string, OpenCall>();
  const calls: OpenCall[] = [];
  const toCallId = createCallIds(findCallIds(prompt));

  /** @returns undefined for a call over the limit. The first of those is kept, to be refused. */
  const start = (id: string, toolName: string, providerExecuted = false): OpenCall | undefined => {
    if (!providerExecuted && countLocal(calls) > MAX_CALLS_PER_STEP) return undefined;
    const part: CallPart = {
      type: "tool_call",
      toolCallId: toCallId(id),
      toolName: toToolName(toolName),
      input: "",
      providerExecuted,
      startedAt: now(),
      ...keepSignedId(id),
    };
    const open = Object.assign(list.start(part), { isComplete: false });
    byId.set(id, open);
    calls.push(open);
    return open;
  };

  const append = ({ index, part }: OpenCall, input: string): void => {
    const delta = restoreNumbers(input);
    part.input += delta;
    if (delta !== "") sink.append(index, delta);
  };

  /** Adds a call of the last answer, whose result has come with this one, to show both. */
  const resume = (id: string): OpenCall | undefined => {
    const call = findDeferredCalls(prompt).get(id);
    const open = call && start(toResumedId(id), call.toolName, true);
    if (!open) return undefined;
    append(open, call.input);
    mergeMetadata(open.part, { [RESUMED]: { call_id: id } });
    open.isComplete = true;
    list.end(open);
    return open;
  };

  return { byId, calls, start, append, resume };
};

/**
 * Assembles tool calls, which providers send as input deltas, as a whole, or both. A call gets an id of ours
 * when its own one is unusable or repeats that of an earlier call of the chat: local servers repeat `call_0` in
 * each step, and Anthropic refuses a prompt with the same id twice. Other ids are kept, as they help to find a call
 * in the logs of its provider.
 */
export const createToolCallAssembler = (list: PartList, deps: AssemblerDeps) => {
  const { byId, calls, start, append, resume } = createCallList(list, deps);

  return {
    handleInput: (event: InputEvent): void => {
      const open =
        event.type === "tool-input-start"
          ? start(event.id, event.toolName, event.providerExecuted)
          : byId.get(event.id);
      if (open === undefined) return;
      if (event.type === "tool-input-delta") append(open, event.delta);
      mergeMetadata(open.part, event.providerMetadata);
      if (event.type === "tool-input-end") list.end(open);
    },
    handleCall: (call: LanguageModelV4ToolCall): void => {
      const existing = byId.get(call.toolCallId);
      const open =
        existing === undefined || existing.isComplete
          ? start(call.toolCallId, call.toolName, call.providerExecuted)
          : existing;
      if (open === undefined) return;
      open.isComplete = true;
      if (open.part.input === "") append(open, call.input);
      open.part.input = restoreNumbers(call.input);
      open.part.toolName = toToolName(call.toolName);
      open.part.providerExecuted ||= call.providerExecuted === true;
      addProblem(open.part, call);
      list.end(open);
    },
    /** Stores the result of a provider-executed tool; ignores results of calls that are not known. */
    handleResult: (event: LanguageModelV4ToolResult): void => {
      const { toolCallId, result, isError, providerMetadata } = event;
      const call = (byId.get(toolCallId) ?? resume(toolCallId))?.part;
      if (!call) return;
      Object.assign(call, { output: result, isError: isError === true });
      // The result goes back to its provider with its own, such as a signature.
      if (providerMetadata) mergeMetadata(call, { [RESULT]: providerMetadata });
    },
    /** Marks the calls that the provider has begun only. */
    markIncomplete: (): void => {
      for (const { part, isComplete } of calls) if (!isComplete) part.isIncomplete = true;
    },
  };
};

export type ToolCallAssembler = ReturnType<typeof createToolCallAssembler>;

/** A wrapper of a model tells in its metadata why a call cannot be run, as calls have no field for it. */
const addProblem = (part: CallPart, { providerMetadata }: LanguageModelV4ToolCall): void => {
  const { problem, ...own } = providerMetadata?.parley ?? {};
  if (typeof problem !== "string") return mergeMetadata(part, providerMetadata);
  part.problem = problem;
  mergeMetadata(part, { ...providerMetadata, parley: own });
};

/** Creates a function that keeps an id that is usable and new, and replaces any other. */
const createCallIds = (knownIds: ReadonlySet<string>) => {
  const used = new Set(knownIds);
  return (id: string): string => {
    const isKept = isUsableId(id) && !used.has(id);
    const unique = isKept ? id : `call_${randomUUID().replaceAll("-", "")}`;
    used.add(unique);
    return unique;
  };
};

const countLocal = (calls: readonly OpenCall[]): number =>
  calls.filter(({ part }) => !part.providerExecuted).length;

const toToolName = (name: string): string => name.slice(0, MAX_TOOL_NAME_LENGTH).toWellFormed();

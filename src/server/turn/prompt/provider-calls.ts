import type {
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";
import type { HistoryMessage, PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { ALL_PROVIDERS } from "@/server/model/catalog/providers/all-providers";
import { RESULT, RESUMED } from "@/server/model/return-fields";
import { getLocalCalls } from "@/server/turn/decide-next";
import { calculateResultShare } from "@/server/turn/result-share";

/** A provider, and the names of its tools that a request has. */
export type OfferedByProvider = { provider: ProviderName; names: readonly string[] };

type Reader = {
  /** "provider/model" that reads the prompt. */
  model: string;
  contextLimit: number | null;
  /** Undefined if the request has no such tools. */
  offered: OfferedByProvider | undefined;
};

/**
 * Finds the answers that go back to the model that wrote them as they were: with their thoughts, what their texts cite, and
 * all calls that the provider has run, with their results as they are. A provider refuses thoughts without what they led to,
 * and may refuse calls of tools that the request does not have.
 */
export const findWholeAnswers = (
  history: readonly HistoryMessage[],
  reader: Reader,
): ReadonlySet<HistoryMessage> => {
  const whole = new Set<HistoryMessage>();
  /** Calls whose results are in a later answer that goes back. */
  const resumed = new Set<string>();
  const last = history.at(-1);
  for (const message of history.toReversed()) {
    if (message.role !== "assistant" || message.model !== reader.model) continue;
    const continues = (id: string): boolean => message === last || resumed.has(id);
    if (!canReturn(message, reader, continues)) continue;
    whole.add(message);
    for (const id of message.parts.flatMap((part) => findResumedId(part) ?? [])) resumed.add(id);
  }
  return whole;
};

/** @param continues whether a call without a result has it later, or gets it with the next answer. */
const canReturn = (
  message: HistoryMessage,
  { offered, contextLimit }: Reader,
  continues: (toolCallId: string) => boolean,
): boolean => {
  const calls = message.parts.filter(isProviderCall);
  if (calls.length === 0) return true;
  if (!offered) return false;
  const { provider, names } = offered;
  const { takesBack, resumesCalls = false } = ALL_PROVIDERS[provider];
  const maxBytes = calculateResultShare(contextLimit, getLocalCalls(message).length);
  return calls.every(({ toolName, toolCallId, output = null }) => {
    if (output === null) return resumesCalls && names.includes(toolName) && continues(toolCallId);
    const isTaken = takesBack?.({ toolName, output, names }) ?? names.includes(toolName);
    return isTaken && Buffer.byteLength(JSON.stringify(output)) <= maxBytes;
  });
};

/** @returns the id that a call had in the answer before, which has made it. */
const findResumedId = (part: PartRow): string | undefined => {
  const id = part.type === "tool_call" ? part.providerMetadata?.[RESUMED]?.call_id : undefined;
  return typeof id === "string" ? id : undefined;
};

const isProviderCall = (part: PartRow): part is ToolCallPartRow =>
  part.type === "tool_call" && part.kind === "provider";

/**
 * Creates a function that completes a call that the provider has run and adds its result. A call that the answer before has
 * made stands there, if that goes back whole, and only its result here.
 */
export const createProviderCalls = () => {
  /** Ids in the prompt of calls without a result, by their own. */
  const openIds = new Map<string, string>();
  return (part: ToolCallPartRow, call: LanguageModelV4ToolCallPart): ProviderPart[] => {
    const { providerOptions = {} } = call;
    const called = { ...call, providerExecuted: true, providerOptions: omitOwn(providerOptions) };
    const { output = null, isError } = part;
    if (output === null) {
      openIds.set(part.toolCallId, call.toolCallId);
      return [called];
    }
    const openId = openIds.get(findResumedId(part) ?? "");
    const result: ProviderPart = {
      type: "tool-result",
      toolCallId: openId ?? call.toolCallId,
      toolName: call.toolName,
      output: { type: isError ? "error-json" : "json", value: output },
      providerOptions: (providerOptions[RESULT] ?? {}) as SharedV4ProviderOptions,
    };
    return openId === undefined ? [called, result] : [result];
  };
};

type ProviderPart = LanguageModelV4ToolCallPart | LanguageModelV4ToolResultPart;

const omitOwn = (options: SharedV4ProviderOptions): SharedV4ProviderOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => name !== RESULT && name !== RESUMED),
  );

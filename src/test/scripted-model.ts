import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { generateFromStream } from "@/server/model/generate-from-stream";

/**
 * The stream parts of one answer. A promise pauses the stream until it settles. Without a `finish`
 * part at the end the stream is truncated.
 */
export type ScriptedParts = (LanguageModelV4StreamPart | Promise<unknown>)[];

/** Stream parts, an error with which the request fails, or a function that returns either one. */
export type ScriptedStep =
  ScriptedParts | { throws: unknown } | ((request: LanguageModelV4CallOptions) => ScriptedStep);

export type ScriptedModel = LanguageModelV4 & {
  /** The requests of all calls, in order. */
  requests: LanguageModelV4CallOptions[];
  /** Resolves when this many calls have been made. */
  waitForCalls: (times: number) => Promise<void>;
};

/** Creates a model that answers its n-th call with the n-th step and fails without a step. */
export const createScriptedModel = (steps: ScriptedStep[]): ScriptedModel => {
  const requests: LanguageModelV4CallOptions[] = [];
  const waiting: { times: number; resolve: () => void }[] = [];

  const doStream = (options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> => {
    const step = steps[requests.length];
    requests.push(options);
    for (const wait of waiting) if (wait.times <= requests.length) wait.resolve();
    return runStep(step, options);
  };

  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doStream,
    doGenerate: generateFromStream(doStream),
    requests,
    waitForCalls: (times) =>
      times <= requests.length
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ times, resolve })),
  };
};

/** Text parts with one delta per word. */
export const textParts = (text: string, id = "text"): LanguageModelV4StreamPart[] => [
  { type: "text-start", id },
  ...(text.match(/\s*\S+/g) ?? []).map((delta) => ({ type: "text-delta" as const, id, delta })),
  { type: "text-end", id },
];

export const reasoningParts = (text: string, id = "thought"): LanguageModelV4StreamPart[] => [
  { type: "reasoning-start", id },
  { type: "reasoning-delta", id, delta: text },
  { type: "reasoning-end", id },
];

/** A tool call whose arguments are streamed as two deltas first. */
export const toolCallParts = (
  toolCallId: string,
  toolName: string,
  args: unknown,
): LanguageModelV4StreamPart[] => {
  const input = typeof args === "string" ? args : JSON.stringify(args);
  const half = Math.ceil(input.length / 2);
  return [
    { type: "tool-input-start", id: toolCallId, toolName },
    { type: "tool-input-delta", id: toolCallId, delta: input.slice(0, half) },
    { type: "tool-input-delta", id: toolCallId, delta: input.slice(half) },
    { type: "tool-input-end", id: toolCallId },
    { type: "tool-call", toolCallId, toolName, input },
  ];
};

/** The end of an answer, by default with 10 input and 5 output tokens. */
export const finishPart = (
  unified: LanguageModelV4FinishReason["unified"] = "stop",
  tokens: { input: number; output: number } = { input: 10, output: 5 },
): LanguageModelV4StreamPart => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: {
      total: tokens.input,
      noCache: tokens.input,
      cacheRead: undefined,
      cacheWrite: undefined,
    },
    outputTokens: { total: tokens.output, text: tokens.output, reasoning: undefined },
  },
});

/** A complete step with a text answer. */
export const textStep = (text: string): ScriptedParts => [...textParts(text), finishPart()];

/** A promise that never settles, for a provider that hangs. */
export const pendingForever = (): Promise<never> => new Promise<never>(() => undefined);

const runStep = async (
  step: ScriptedStep | undefined,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> => {
  if (typeof step === "function") return runStep(step(options), options);
  if (step === undefined) throw new Error("the script has no answer for this call");
  if ("throws" in step) throw step.throws;
  return { stream: toStream(step, options.abortSignal) };
};

const toStream = (
  parts: ScriptedParts,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> => {
  let next = 0;
  return new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => {
      const stop = (): void => controller.error(signal?.reason);
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop, { once: true });
    },
    pull: async (controller) => {
      let part = parts[next++];
      while (part instanceof Promise) {
        await part;
        part = parts[next++];
      }
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
};

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { generateFromStream } from "@/server/model/generate-from-stream";

/**
 * One call's answer: its parts in order. A promise among them holds the stream until it settles;
 * one that never settles is a provider that hangs. The stream closes after the last part, so a
 * list without a `finish` part is a connection that was cut.
 */
export type ScriptedParts = (LanguageModelV4StreamPart | Promise<unknown>)[];

/** Parts, an error that the request itself fails with, or either one made from the request. */
export type ScriptedStep =
  ScriptedParts | { throws: unknown } | ((request: LanguageModelV4CallOptions) => ScriptedStep);

export type ScriptedModel = LanguageModelV4 & {
  /** What each call was asked, oldest first. */
  requests: LanguageModelV4CallOptions[];
  /** Waits until this many calls have been made, at once when they have been. */
  called: (times: number) => Promise<void>;
};

/** A model whose n-th call is answered by the n-th step; a call too many fails. */
export const scriptedModel = (steps: ScriptedStep[]): ScriptedModel => {
  const requests: LanguageModelV4CallOptions[] = [];
  const waiting: { times: number; resolve: () => void }[] = [];

  const doStream = (options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> => {
    const step = steps[requests.length];
    requests.push(options);
    for (const wait of waiting) if (wait.times <= requests.length) wait.resolve();
    return play(step, options);
  };

  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doStream,
    doGenerate: generateFromStream(doStream),
    requests,
    called: (times) =>
      times <= requests.length
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ times, resolve })),
  };
};

/** The parts of an answer in words, each word a delta. */
export const saysText = (text: string, id = "text"): LanguageModelV4StreamPart[] => [
  { type: "text-start", id },
  ...(text.match(/\s*\S+/g) ?? []).map((delta) => ({ type: "text-delta" as const, id, delta })),
  { type: "text-end", id },
];

export const thinks = (text: string, id = "thought"): LanguageModelV4StreamPart[] => [
  { type: "reasoning-start", id },
  { type: "reasoning-delta", id, delta: text },
  { type: "reasoning-end", id },
];

/** A tool call whose arguments stream in two halves before the call itself. */
export const callsTool = (
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

/** The end of an answer: 10 tokens in, 5 out. */
export const finishes = (
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

/** A whole step that answers in words. */
export const answers = (text: string): ScriptedParts => [...saysText(text), finishes()];

/** A provider that says nothing more, and stops only when it is aborted. */
export const hangs = (): Promise<never> => new Promise<never>(() => undefined);

const play = async (
  step: ScriptedStep | undefined,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> => {
  if (typeof step === "function") return play(step(options), options);
  if (step === undefined) throw new Error("the script has no answer for this call");
  if ("throws" in step) throw step.throws;
  return { stream: streamOf(step, options.abortSignal) };
};

const streamOf = (
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

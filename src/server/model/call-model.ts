import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { mergeOptions } from "./merge-options";
import type { CallModel, ChatModel, StepGuards, StepOutcome, StepRequest } from "./model-step";
import { createProviderStream } from "./provider-stream";
import { createSilenceWatch } from "./silence-watch";
import { silenceError, stepOutcome, type Heard } from "./step-outcome";
import { createStepParts } from "./step-parts";
import { withCacheMarks } from "./with-cache-marks";
import { withOpening } from "./with-opening";

const DEFAULT_GUARDS: StepGuards = {
  /** A provider that has not begun by then has most likely lost the request. */
  firstPartMs: 60_000,
  /** Long enough for a model that thinks without saying so. */
  silenceMs: 5 * 60_000,
};
/** After its `finish` a stream gets this long to close, so that its connection can serve again. */
const CLOSE_MS = 200;

/**
 * Streams one answer from a model. Every way it can end is an outcome: an abort, at once, even
 * when the provider hangs; a guard, a cut stream or a refusal as a classified failure.
 */
export const callModel: CallModel = (model, request, seams) => {
  const { sink, signal, now, guards = DEFAULT_GUARDS } = seams;
  if (signal.aborted) return Promise.resolve({ type: "aborted", parts: [] });
  const stream = createProviderStream(model.client, callOptions(model, request));
  const answer = createStepParts(sink, now);
  const heard: Heard = { begun: false, finish: undefined, responseId: null };

  const hear = (part: LanguageModelV4StreamPart, at: number): void => {
    watch.heard(at);
    if (!heard.begun && part.type !== "stream-start") {
      heard.begun = true;
      watch.allow(guards.silenceMs);
    }
    if (part.type === "finish") {
      heard.finish = part;
      watch.allow(CLOSE_MS);
    } else if (part.type === "response-metadata") {
      // One stream may hold several responses; only the last one's end is the end.
      heard.finish = undefined;
      heard.responseId = part.id ?? heard.responseId;
      watch.allow(guards.silenceMs);
    } else {
      answer.take(part);
    }
  };

  const { promise, resolve } = Promise.withResolvers<StepOutcome>();
  let settled = false;
  const settle = (outcome: () => StepOutcome): void => {
    if (settled) return;
    settled = true;
    watch.stop();
    signal.removeEventListener("abort", onAbort);
    stream.close();
    resolve(outcome());
  };
  const conclude = (error: unknown): void =>
    settle(() => stepOutcome(heard, error, { answer, provider: model.provider, now }));
  const onAbort = (): void => settle(() => ({ type: "aborted", parts: answer.parts }));
  const watch = createSilenceWatch(guards.firstPartMs, () =>
    conclude(silenceError(heard, model.provider)),
  );
  signal.addEventListener("abort", onAbort, { once: true });
  stream.read(hear).then(() => conclude(undefined), conclude);
  return promise;
};

const callOptions = (model: ChatModel, request: StepRequest): LanguageModelV4CallOptions => {
  const { tools, maxOutputTokens } = request;
  const providerOptions = mergeOptions(model.providerOptions, request.providerOptions);
  return {
    prompt: withCacheMarks(withOpening(request.prompt), model.provider),
    ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providerOptions && { providerOptions }),
    includeRawChunks: false,
  };
};

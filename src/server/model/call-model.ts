import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { addCacheBreakpoints } from "./add-cache-breakpoints";
import { ensureUserFirst } from "./ensure-user-first";
import { createIdleTimer } from "./idle-timer";
import type { CallModel, ChatModel, StepTimeouts, StepOutcome, StepRequest } from "./model-step";
import { createProviderStream } from "./provider-stream";
import { createStepAssembler } from "./step-assembler";
import { createIdleError, toStepOutcome, type StreamProgress } from "./step-outcome";

const DEFAULT_TIMEOUTS: StepTimeouts = {
  /** A provider that has sent nothing after 60 s has most likely lost the request. */
  firstPartMs: 60_000,
  /** Some models reason for minutes without sending anything. */
  idleMs: 5 * 60_000,
};
/** Time for a stream to close after its `finish` part, so that its connection can be reused. */
const CLOSE_TIMEOUT_MS = 200;

/**
 * Streams one answer from a model and resolves with its outcome. An abort settles immediately,
 * even when the provider hangs. Timeouts, truncated streams and refusals are classified failures.
 */
export const callModel: CallModel = (model, request, deps) => {
  const { sink, signal, now, timeouts = DEFAULT_TIMEOUTS } = deps;
  if (signal.aborted) return Promise.resolve({ type: "aborted", parts: [] });
  const stream = createProviderStream(model.client, toCallOptions(model, request));
  const assembler = createStepAssembler(sink, now);
  const progress: StreamProgress = { hasStarted: false, finish: undefined, responseId: null };

  const onPart = (part: LanguageModelV4StreamPart, at: number): void => {
    idleTimer.touch(at);
    if (!progress.hasStarted && part.type !== "stream-start") {
      progress.hasStarted = true;
      idleTimer.setLimit(timeouts.idleMs);
    }
    if (part.type === "finish") {
      progress.finish = part;
      idleTimer.setLimit(CLOSE_TIMEOUT_MS);
    } else if (part.type === "response-metadata") {
      // A stream may hold several responses; only the `finish` part of the last one counts.
      progress.finish = undefined;
      progress.responseId = part.id ?? progress.responseId;
      idleTimer.setLimit(timeouts.idleMs);
    } else {
      assembler.handlePart(part);
    }
  };

  const { promise, resolve } = Promise.withResolvers<StepOutcome>();
  let isSettled = false;
  const settle = (createOutcome: () => StepOutcome): void => {
    if (isSettled) return;
    isSettled = true;
    idleTimer.stop();
    signal.removeEventListener("abort", onAbort);
    stream.close();
    resolve(createOutcome());
  };
  const onEnd = (error: unknown): void =>
    settle(() => toStepOutcome(progress, error, { assembler, provider: model.provider, now }));
  const onAbort = (): void => settle(() => ({ type: "aborted", parts: assembler.parts }));
  const idleTimer = createIdleTimer(timeouts.firstPartMs, () =>
    onEnd(createIdleError(progress, model.provider)),
  );
  signal.addEventListener("abort", onAbort, { once: true });
  stream.read(onPart).then(() => onEnd(undefined), onEnd);
  return promise;
};

const toCallOptions = (model: ChatModel, request: StepRequest): LanguageModelV4CallOptions => {
  const { tools, maxOutputTokens } = request;
  const providerOptions = mergeProviderOptions(model.providerOptions, request.providerOptions);
  return {
    prompt: addCacheBreakpoints(ensureUserFirst(request.prompt), model.provider),
    ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(providerOptions && { providerOptions }),
    includeRawChunks: false,
  };
};

/** Merges options per provider; those of `later` override those of `first`. */
const mergeProviderOptions = (
  first: SharedV4ProviderOptions | undefined,
  later: SharedV4ProviderOptions | undefined,
): SharedV4ProviderOptions | undefined => {
  if (first === undefined || later === undefined) return later ?? first;
  const merged = { ...first };
  for (const [provider, options] of Object.entries(later)) {
    merged[provider] = { ...merged[provider], ...options };
  }
  return merged;
};

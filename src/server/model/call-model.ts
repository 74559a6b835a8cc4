import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { DEFAULT_WAIT_MINUTES } from "@/contract/limits";
import { log } from "@/server/log";
import { createAnswerLimits } from "./stream/answer-limits";
import { ALL_PROVIDERS } from "./catalog/providers/all-providers";
import {
  type CallModel,
  type ChatModel,
  MAX_STEP_MS,
  type StepTimeouts,
  type StepOutcome,
  type StepRequest,
} from "./model-step";
import { ensureUserFirst, hasImageResults, moveImages, withoutImages } from "./adapt-prompt";
import { findRefusedTool, leaveOut, withoutRefused } from "./refused-tools";
import { createIdleTimer, createProviderStream } from "./stream/provider-stream";
import { type AnswerExtras, EXTRAS } from "./stream/repairs/answer-extras";
import { createStepAssembler } from "./stream/step-assembler";
import {
  createDeadlineError,
  createIdleError,
  toStepOutcome,
  type StreamProgress,
} from "./step-outcome";

const DEFAULT_TIMEOUTS: StepTimeouts = {
  firstPartMs: DEFAULT_WAIT_MINUTES * 60_000,
  /** Some models reason for minutes without sending anything. */
  idleMs: 5 * 60_000,
  totalMs: MAX_STEP_MS,
};
/** Ids of providers are shorter; a longer one is not stored. */
const MAX_RESPONSE_ID_LENGTH = 256;
/** Time for a stream to close after its `finish` part, so that its connection can be reused. */
const CLOSE_TIMEOUT_MS = 200;

/** Requests that one call repeats without a tool. */
const MAX_REFUSED_TOOLS = 10;

/** Clients of models that have refused images. */
const textOnlyClients = new WeakSet<LanguageModelV4>();

/**
 * Streams one answer from a model and resolves with its outcome. An abort settles immediately,
 * even when the provider hangs. Timeouts, truncated streams and refusals are classified failures.
 *
 * A model that refuses images is called again without them, and gets none from then on; so is one whose server refuses a
 * tool that it names.
 */
export const callModel: CallModel = async (model, request, deps) => {
  if (!hasImageResults(request.prompt)) return callWithUsableTools(model, request, deps);
  if (!textOnlyClients.has(model.client)) {
    const outcome = await callWithUsableTools(model, request, deps);
    const isRefused = outcome.type === "failed" && outcome.refusesImages === true;
    if (!isRefused || outcome.parts.length > 0) return outcome;
    textOnlyClients.add(model.client);
  }
  return callWithUsableTools(model, { ...request, prompt: withoutImages(request.prompt) }, deps);
};

/** One bad tool never fails a turn: it is left out. */
const callWithUsableTools: CallModel = async (model, request, deps) => {
  for (let tries = 0; ; tries++) {
    const tools = withoutRefused(model.client, request.tools);
    const outcome = await streamAnswer(model, { ...request, tools }, deps);
    const refused = outcome.type === "failed" && findRefusedTool(outcome, tools);
    if (!refused || tries === MAX_REFUSED_TOOLS) {
      if (tools === request.tools) return outcome;
      const missing = request.tools.filter((tool) => !tools.includes(tool));
      return { ...outcome, refusedTools: missing.map(({ name }) => name) };
    }
    leaveOut(model.client, refused);
    const { label } = model;
    const { detail } = outcome.failure;
    log().warn(
      { model: label, tool: refused.name, detail },
      "tool left out: its server refuses it",
    );
  }
};

const streamAnswer: CallModel = (model, request, deps) => {
  const { sink, signal, now } = deps;
  const { firstPartMs = DEFAULT_TIMEOUTS.firstPartMs } = model;
  const timeouts = { ...DEFAULT_TIMEOUTS, firstPartMs, ...deps.timeouts };
  if (signal.aborted) return Promise.resolve({ type: "aborted", parts: [] });
  const stream = createProviderStream(model.client, toCallOptions(model, request), () =>
    idleTimer.touch(performance.now()),
  );
  const assembler = createStepAssembler({ sink, now, prompt: request.prompt });
  const limits = createAnswerLimits(model.provider);
  const progress: StreamProgress = { hasStarted: false, finish: undefined, responseId: null };

  const onPart = (part: LanguageModelV4StreamPart, at: number): void => {
    idleTimer.touch(at);
    if (!progress.hasStarted && part.type !== "stream-start") {
      progress.hasStarted = true;
      idleTimer.setLimit(timeouts.idleMs);
    }
    if (part.type === "finish") {
      progress.finish = part;
      const extras = part.providerMetadata?.[EXTRAS] as AnswerExtras | undefined;
      if (extras) assembler.addExtras(extras);
      idleTimer.setLimit(CLOSE_TIMEOUT_MS);
    } else if (part.type === "response-metadata") {
      // A stream may hold several responses; only the `finish` part of the last one counts.
      progress.finish = undefined;
      if (part.id !== undefined && part.id.length <= MAX_RESPONSE_ID_LENGTH) {
        progress.responseId = part.id;
      }
      idleTimer.setLimit(timeouts.idleMs);
    } else {
      const kept = limits.cut(part);
      if (kept) assembler.handlePart(kept);
      if (limits.error) throw limits.error;
    }
  };

  const { promise, resolve } = Promise.withResolvers<StepOutcome>();
  let isSettled = false;
  const settle = (createOutcome: () => StepOutcome): void => {
    if (isSettled) return;
    isSettled = true;
    idleTimer.stop();
    clearTimeout(deadline);
    signal.removeEventListener("abort", onAbort);
    stream.close();
    resolve(createOutcome());
  };
  const { provider } = model;
  const { mustAnswer = false } = request;
  const onEnd = (error: unknown): void =>
    settle(() => toStepOutcome(progress, error, { assembler, provider, now, mustAnswer }));
  const onAbort = (): void => settle(() => ({ type: "aborted", parts: assembler.parts }));
  const idleTimer = createIdleTimer(timeouts.firstPartMs, () =>
    onEnd(createIdleError(progress, provider)),
  );
  const deadline = setTimeout(() => onEnd(createDeadlineError(provider)), timeouts.totalMs);
  signal.addEventListener("abort", onAbort, { once: true });
  stream.read(onPart).then(() => onEnd(undefined), onEnd);
  return promise;
};

const toCallOptions = (model: ChatModel, request: StepRequest): LanguageModelV4CallOptions => {
  const { tools, maxOutputTokens } = request;
  const { adaptPrompt, takesImagesInResults } = ALL_PROVIDERS[model.provider];
  const complete = ensureUserFirst(request.prompt);
  const prompt = takesImagesInResults?.(model.model) ? complete : moveImages(complete);
  const providerOptions = mergeProviderOptions(model.providerOptions, request.providerOptions);
  return {
    prompt: adaptPrompt?.(prompt) ?? prompt,
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

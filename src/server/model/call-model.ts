import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { DEFAULT_WAIT_MINUTES } from "@/contract/limits";
import { createAnswerLimits } from "./stream/answer-limits";
import { ALL_PROVIDERS } from "./catalog/providers/all-providers";
import {
  type CallModel,
  type ChatModel,
  MAX_STEP_MS,
  type SentParameters,
  type StepTimeouts,
  type StepOutcome,
  type StepRequest,
} from "./model-step";
import { ensureUserFirst, moveImages } from "./adapt-prompt";
import { findOutputLimit, toSentParameters } from "./call-parameters";
import { omitRefused, recordRefusal, refusalsByClient } from "./refusals";
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

/** Requests that one call repeats without what was refused: ten tools, images, PDFs and some parameters. */
const MAX_REFUSALS = 16;

/**
 * Streams one answer from a model and resolves with its outcome. An abort settles immediately,
 * even when the provider hangs. Timeouts, truncated streams and refusals are classified failures.
 *
 * A model that refuses images, PDFs, a parameter, or a tool that its server names, is called again without them, and gets none
 * of them from then on. Rejects only when `withoutPdfs` does.
 */
export const callModel: CallModel = async (model, request, deps) => {
  let complete = request;
  for (let refusals = 0; ; refusals++) {
    const refused = refusalsByClient.get(model.client);
    const sent = refused ? omitRefused(complete, refused) : complete;
    const parameters = toSentParameters(model, sent);
    const outcome = await streamAnswer(model, { ...sent, parameters }, deps);
    if (outcome.type === "failed" && refusals < MAX_REFUSALS) {
      const limit = findOutputLimit(model, sent);
      const omitted = recordRefusal(model, { ...sent, parameters, limit }, outcome);
      const prompt = omitted === "pdfs" ? await request.withoutPdfs?.() : undefined;
      if (prompt) complete = { ...complete, prompt };
      if (prompt || omitted === "others") continue;
    }
    if (sent.tools === request.tools) return outcome;
    const missing = request.tools.filter((tool) => !sent.tools.includes(tool));
    return { ...outcome, refusedTools: missing.map(({ name }) => name) };
  }
};

type Call = StepRequest & { parameters: SentParameters };
type StreamAnswer = (
  model: ChatModel,
  request: Call,
  deps: Parameters<CallModel>[2],
) => Promise<StepOutcome>;

const streamAnswer: StreamAnswer = (model, request, deps) => {
  const { sink, signal, now } = deps;
  const { provider, firstPartMs = DEFAULT_TIMEOUTS.firstPartMs } = model;
  const timeouts = { ...DEFAULT_TIMEOUTS, firstPartMs, ...deps.timeouts };
  if (signal.aborted) return Promise.resolve({ type: "aborted", parts: [] });
  const stream = createProviderStream(model.client, toCallOptions(model, request), () =>
    idleTimer.touch(performance.now()),
  );
  const assembler = createStepAssembler({ sink, now, prompt: request.prompt });
  const limits = createAnswerLimits(provider);
  const progress: StreamProgress = { hasStarted: false, finish: undefined, responseId: null };

  const onPart = (part: LanguageModelV4StreamPart, at: number): void => {
    idleTimer.touch(at);
    // The client sends it, before anything comes from the provider.
    if (part.type === "stream-start") return;
    if (!progress.hasStarted) {
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
  const { mustAnswer = false } = request;
  const end = (error?: unknown): void => {
    if (isSettled) return;
    isSettled = true;
    idleTimer.stop();
    clearTimeout(deadline);
    signal.removeEventListener("abort", onAbort);
    stream.close();
    resolve(
      signal.aborted
        ? { type: "aborted", parts: assembler.parts }
        : toStepOutcome(progress, error, { assembler, provider, now, mustAnswer }),
    );
  };
  const onAbort = (): void => end();
  const idleTimer = createIdleTimer(timeouts.firstPartMs, () =>
    end(createIdleError(progress, provider)),
  );
  const deadline = setTimeout(() => end(createDeadlineError(provider)), timeouts.totalMs);
  signal.addEventListener("abort", onAbort, { once: true });
  stream.read(onPart).then(() => end(), end);
  return promise;
};

const toCallOptions = (model: ChatModel, request: Call): LanguageModelV4CallOptions => {
  const { tools, parameters, chatId } = request;
  const { adaptPrompt, takesImagesInResults } = ALL_PROVIDERS[model.provider];
  const complete = ensureUserFirst(request.prompt);
  const prompt = takesImagesInResults?.(model.model) ? complete : moveImages(complete);
  // For the wrapper of models that write calls as XML; nothing else reads it.
  const own = model.toolProtocol === "xml" && chatId !== undefined ? { parley: { chatId } } : {};
  const providerOptions = [parameters.providerOptions, request.providerOptions, own]
    .filter((options) => options !== undefined && Object.keys(options).length > 0)
    .reduce<SharedV4ProviderOptions | undefined>(
      (merged, options) => mergeProviderOptions(merged ?? {}, options ?? {}),
      model.providerOptions,
    );
  return {
    prompt: adaptPrompt?.(prompt) ?? prompt,
    ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
    ...parameters,
    ...(providerOptions && { providerOptions }),
    includeRawChunks: false,
  };
};

/** Merges options per provider; those of `later` override those of `first`. */
const mergeProviderOptions = (
  first: SharedV4ProviderOptions,
  later: SharedV4ProviderOptions,
): SharedV4ProviderOptions => {
  const merged = { ...first };
  for (const [provider, options] of Object.entries(later)) {
    merged[provider] = { ...merged[provider], ...options };
  }
  return merged;
};

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { DEFAULT_WAIT_MINUTES } from "@/contract/limits";
import type { MessageUsage } from "@/contract/usage";
import { createAnswerLimits } from "./stream/answer-limits";
import { sumUsage } from "./catalog/model-usage";
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
import { toPausedAnswer } from "./paused-answer";
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

/** Responses of one answer that its provider may pause; each has about ten calls of its tools. */
const MAX_PAUSES = 10;

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
    const outcome = await streamWholeAnswer(model, { ...sent, parameters }, deps);
    if (outcome.type === "failed" && refusals < MAX_REFUSALS) {
      const limit = findOutputLimit(model, sent);
      const omitted = recordRefusal(model, { ...sent, parameters, limit }, outcome);
      const prompt = omitted === "pdfs" ? await request.withoutPdfs?.() : undefined;
      if (prompt) complete = { ...complete, prompt };
      if (prompt || omitted === "others") continue;
    }
    const refusedTools = [
      ...findMissing(request.tools, sent.tools),
      ...findMissing(request.providerTools, sent.providerTools),
    ];
    return refusedTools.length > 0 ? { ...outcome, refusedTools } : outcome;
  }
};

type Named = { name: string };

/** @returns the names of the tools that a request went without. */
const findMissing = <Tool extends Named>(
  complete: readonly Tool[] = [],
  sent: readonly Tool[] = [],
): string[] =>
  sent === complete ? [] : complete.filter((tool) => !sent.includes(tool)).map(({ name }) => name);

type Call = StepRequest & { parameters: SentParameters };
type Deps = Parameters<CallModel>[2];
/** What one answer is assembled by, also if it comes in several responses. */
type Answer = {
  assembler: ReturnType<typeof createStepAssembler>;
  limits: ReturnType<typeof createAnswerLimits>;
};

/**
 * Streams an answer to its end: one that its provider has paused, as its own tools take long, goes on when it is sent back
 * as it is.
 */
const streamWholeAnswer = async (
  model: ChatModel,
  call: Call,
  deps: Deps,
): Promise<StepOutcome> => {
  const { sink, now, timeouts } = deps;
  const assembler = createStepAssembler({ sink, now, prompt: call.prompt });
  const answer = { assembler, limits: createAnswerLimits(model.provider) };
  const endsAt = performance.now() + (timeouts?.totalMs ?? DEFAULT_TIMEOUTS.totalMs);
  let request = call;
  let usage: MessageUsage | undefined;
  for (let pauses = 0; ; pauses++) {
    const totalMs = Math.max(endsAt - performance.now(), 0);
    const streamDeps = { ...deps, ...answer, timeouts: { ...timeouts, totalMs } };
    const { outcome, pause } = await streamAnswer(model, request, streamDeps);
    const whole = usage ? addUsage(outcome, usage) : outcome;
    if (whole.type !== "finished" || !pause) return whole;
    if (pauses === MAX_PAUSES) return { ...whole, finishReason: "other" };
    usage = whole.usage;
    request = {
      ...call,
      prompt: [...call.prompt, toPausedAnswer(assembler.parts)],
      providerOptions: mergeProviderOptions(call.providerOptions ?? {}, pause),
    };
  }
};

/** Each response of an answer is paid for. */
const addUsage = (outcome: StepOutcome, before: MessageUsage): StepOutcome =>
  outcome.type === "aborted"
    ? outcome
    : { ...outcome, usage: outcome.usage ? sumUsage(before, outcome.usage) : before };

type Response = { outcome: StepOutcome; pause?: SharedV4ProviderOptions | undefined };

const streamAnswer = (model: ChatModel, request: Call, deps: Deps & Answer): Promise<Response> => {
  const { signal, now, assembler, limits } = deps;
  const { provider, firstPartMs = DEFAULT_TIMEOUTS.firstPartMs } = model;
  const timeouts = { ...DEFAULT_TIMEOUTS, firstPartMs, ...deps.timeouts };
  const aborted: Response = { outcome: { type: "aborted", parts: assembler.parts } };
  if (signal.aborted) return Promise.resolve(aborted);
  const stream = createProviderStream(model.client, toCallOptions(model, request), () =>
    idleTimer.touch(performance.now()),
  );
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

  const { promise, resolve } = Promise.withResolvers<Response>();
  let isSettled = false;
  const { mustAnswer = false } = request;
  const end = (error?: unknown): void => {
    if (isSettled) return;
    isSettled = true;
    idleTimer.stop();
    clearTimeout(deadline);
    signal.removeEventListener("abort", onAbort);
    stream.close();
    if (signal.aborted) return resolve(aborted);
    const { finish } = progress;
    resolve({
      outcome: toStepOutcome(progress, error, { assembler, provider, now, mustAnswer }),
      pause: finish && ALL_PROVIDERS[provider].findPause?.(finish),
    });
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
  const { parameters, chatId, providerTools = [] } = request;
  // A list that is the same object is converted once.
  const tools = providerTools.length > 0 ? [...providerTools, ...request.tools] : request.tools;
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

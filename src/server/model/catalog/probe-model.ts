import type { ModelTestResult } from "@/contract/model";
import { callModel } from "@/server/model/call-model";
import { MODELS_PAGE } from "@/server/model/classify-failure";
import type { ChatModel, StepSink } from "@/server/model/model-step";

/** People wait for it, and a proxy may end a request after a minute. */
const TIMEOUT_MS = 30_000;
/** Enough for an answer after short reasoning; it is not read. */
const MAX_OUTPUT_TOKENS = 256;
const QUESTION = "Reply with the word OK.";

const NO_SINK: StepSink = {
  start: () => undefined,
  append: () => undefined,
  end: () => undefined,
};

/**
 * Calls a model once, as it is set up.
 *
 * @param name the model's name for people.
 * @returns a failure of the call as a result.
 */
export const probeModel = async (model: ChatModel, name: string): Promise<ModelTestResult> => {
  const start = performance.now();
  const outcome = await callModel(
    model,
    {
      prompt: [{ role: "user", content: [{ type: "text", text: QUESTION }] }],
      tools: [],
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    },
    {
      sink: NO_SINK,
      signal: new AbortController().signal,
      now: () => new Date(),
      timeouts: { firstPartMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS },
    },
  );
  const duration_ms = Math.round(performance.now() - start);
  if (outcome.type !== "failed") return { ok: true, message: `${name} answers.`, duration_ms };
  const { message, detail } = outcome.failure;
  // Models are tested on that page.
  const here = message.replace(MODELS_PAGE, "here");
  return { ok: false, message: here, ...(detail && { detail }), duration_ms };
};

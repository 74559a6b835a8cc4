import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { DemoCall } from "./parse-tool-calls";
import type { DemoReply } from "./plan-reply";

type TextKind = "text" | "reasoning";

/**
 * Streams a reply word by word, in the stream parts of a provider.
 *
 * @throws the reason of the abort signal.
 */
export async function* streamReply(
  reply: DemoReply,
  options: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { abortSignal, prompt } = options;
  const pause = (): Promise<unknown> =>
    sleep(reply.wordMs, undefined, abortSignal ? { signal: abortSignal } : {});
  const promptJson = JSON.stringify(prompt);
  const id = createHash("sha256").update(promptJson).digest("hex").slice(0, 16);
  const words = { text: splitWords(reply.text), reasoning: splitWords(reply.reasoning) };

  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", id: `demo_${id}`, modelId: "demo" };
  yield* streamText("reasoning", words.reasoning, pause);
  if (reply.failure) {
    yield* streamText("text", words.text.slice(0, words.text.length / 4), pause);
    yield { type: "error", error: reply.failure.error };
    return;
  }
  yield* streamText("text", words.text, pause);
  for (const [index, call] of reply.calls.entries())
    yield* streamToolCall(`${id}_${index}`, call, pause);
  yield createFinish(reply, promptJson.split(/\W+/).length, words);
}

async function* streamText(
  kind: TextKind,
  words: string[],
  pause: () => Promise<unknown>,
): AsyncGenerator<LanguageModelV4StreamPart> {
  if (words.length === 0) return;
  yield { type: `${kind}-start`, id: kind };
  for (const delta of words) {
    await pause();
    yield { type: `${kind}-delta`, id: kind, delta };
  }
  yield { type: `${kind}-end`, id: kind };
}

async function* streamToolCall(
  id: string,
  { toolName, input }: DemoCall,
  pause: () => Promise<unknown>,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const toolCallId = `call_${id}`;
  yield { type: "tool-input-start", id: toolCallId, toolName };
  for (const delta of input.match(/[^]{1,24}/g) ?? []) {
    await pause();
    yield { type: "tool-input-delta", id: toolCallId, delta };
  }
  yield { type: "tool-input-end", id: toolCallId };
  yield { type: "tool-call", toolCallId, toolName, input };
}

/** Counts one token per word. */
const createFinish = (
  reply: DemoReply,
  promptTokens: number,
  words: Record<TextKind, string[]>,
): LanguageModelV4StreamPart => {
  const reasoning = words.reasoning.length;
  const text =
    words.text.length + reply.calls.reduce((sum, call) => sum + countCallTokens(call), 0);
  const unified = reply.calls.length > 0 ? "tool-calls" : "stop";
  return {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: {
        total: promptTokens,
        noCache: promptTokens,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: text + reasoning, text, reasoning },
    },
  };
};

const countCallTokens = ({ input }: DemoCall): number => 1 + input.split(/\W+/).length;

const splitWords = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

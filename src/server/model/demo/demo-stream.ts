import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { DemoCall } from "./demo-calls";
import type { DemoReply } from "./demo-reply";

type Writing = "text" | "reasoning";

/** A reply as a provider streams it, word by word. An abort ends it with the abort's reason. */
export async function* demoStream(
  reply: DemoReply,
  options: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { abortSignal, prompt } = options;
  const pause = (): Promise<unknown> =>
    sleep(reply.wordMs, undefined, abortSignal ? { signal: abortSignal } : {});
  const asked = JSON.stringify(prompt);
  const id = createHash("sha256").update(asked).digest("hex").slice(0, 16);
  const words = { text: wordsOf(reply.text), reasoning: wordsOf(reply.reasoning) };

  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", id: `demo_${id}`, modelId: "demo" };
  yield* written("reasoning", words.reasoning, pause);
  if (reply.failure) {
    yield* written("text", words.text.slice(0, words.text.length / 4), pause);
    yield { type: "error", error: reply.failure.error };
    return;
  }
  yield* written("text", words.text, pause);
  for (const [index, call] of reply.calls.entries()) yield* called(`${id}_${index}`, call, pause);
  yield finish(reply, asked.split(/\W+/).length, words);
}

async function* written(
  kind: Writing,
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

async function* called(
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

/** Tokens are about words. */
const finish = (
  reply: DemoReply,
  asked: number,
  words: Record<Writing, string[]>,
): LanguageModelV4StreamPart => {
  const reasoning = words.reasoning.length;
  const text = words.text.length + reply.calls.reduce((sum, call) => sum + callTokens(call), 0);
  const unified = reply.calls.length > 0 ? "tool-calls" : "stop";
  return {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: asked, noCache: asked, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: text + reasoning, text, reasoning },
    },
  };
};

const callTokens = ({ input }: DemoCall): number => 1 + input.split(/\W+/).length;

const wordsOf = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

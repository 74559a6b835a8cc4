import { hash } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  LanguageModelV4,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { isRecord } from "@/lib/is-record";
import { generateFromStream } from "@/server/model/generate-from-stream";
import { type DemoReply, planReply } from "./plan-reply";

/** Slow enough to be visible as streaming, fast enough not to delay tests. */
const WORD_MS = 15;
/** Limits the memory for prompts of `fail once`. */
const MAX_FAILED_PROMPTS = 1_000;

type Part = LanguageModelV4StreamPart;

/**
 * Creates the scripted demo model, which needs no key and answers deterministically. It calls tools natively, or as
 * XML where its prompt teaches that. `fail once` fails the first of two calls with the same prompt.
 *
 * @param wordMs delay between two words, in milliseconds.
 */
export const createDemoModel = (wordMs = WORD_MS): LanguageModelV4 => {
  const failedPrompts = new Set<string>();

  const shouldFail = (id: string): boolean => {
    if (failedPrompts.delete(id)) return false;
    if (failedPrompts.size >= MAX_FAILED_PROMPTS) failedPrompts.clear();
    failedPrompts.add(id);
    return true;
  };

  const doStream: LanguageModelV4["doStream"] = (options) => {
    const promptJson = JSON.stringify(options.prompt, omitFile);
    const id = hash("sha256", promptJson).slice(0, 16);
    const reply = planReply(options, wordMs);
    const { error, isOnce, isMidway } = reply.failure ?? {};
    const fails = error !== undefined && (!isOnce || shouldFail(id));
    if (fails && !isMidway) return Promise.reject(error);
    const parts = createParts(reply, id, countTokens(promptJson));
    if (fails) parts.splice(parts.length / 4, Infinity, { type: "error", error });
    const stream = ReadableStream.from(delayWords(parts, reply.wordMs, options.abortSignal));
    return Promise.resolve({ stream: stream as LanguageModelV4StreamResult["stream"] });
  };

  return {
    specificationVersion: "v4",
    provider: "demo",
    modelId: "demo",
    supportedUrls: {},
    doStream,
    doGenerate: generateFromStream(doStream),
  };
};

/** The bytes of a file are no words, and slow to serialize. */
const omitFile = (_key: string, value: unknown): unknown => {
  if (!isRecord(value) || value.type !== "file") return value;
  const { mediaType, filename } = value;
  return { type: "file", mediaType, filename };
};

async function* delayWords(parts: readonly Part[], wordMs: number, signal?: AbortSignal) {
  for (const part of parts) {
    if (part.type.endsWith("-delta")) await sleep(wordMs, undefined, signal ? { signal } : {});
    yield part;
  }
}

const createParts = ({ reasoning, text, calls }: DemoReply, id: string, total: number): Part[] => {
  const callParts = calls.flatMap(({ toolName, input }, index): Part[] => {
    const call = { kind: "tool-input", id: `call_${id}_${index}`, toolName } as const;
    const block = createBlock(call, input.match(/[^]{1,24}/g));
    return [...block, { type: "tool-call", toolCallId: call.id, toolName, input }];
  });
  const unified = calls.length > 0 ? "tool-calls" : "stop";
  const tokens = countTokens(text + JSON.stringify(calls));
  const thoughts = countTokens(reasoning);
  const usage = {
    inputTokens: { total, noCache: total, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: tokens + thoughts, text: tokens, reasoning: thoughts },
  };
  return [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: `demo_${id}`, modelId: "demo" },
    ...createBlock({ kind: "reasoning", id: "reasoning" }, reasoning.match(/(?<!\s)\s*\S+/g)),
    ...createBlock({ kind: "text", id: "text" }, text.match(/(?<!\s)\s*\S+/g)),
    ...callParts,
    { type: "finish", finishReason: { unified, raw: unified }, usage },
  ];
};

type Block = { kind: "text" | "reasoning" | "tool-input"; id: string; toolName?: string };

const createBlock = ({ kind, id, toolName = "" }: Block, deltas: string[] | null): Part[] => {
  if (deltas === null) return [];
  const parts = deltas.map((delta) => ({ type: `${kind}-delta` as const, id, delta }));
  return [{ type: `${kind}-start`, id, toolName }, ...parts, { type: `${kind}-end`, id }];
};

/** Counts one token per word. */
const countTokens = (text: string): number => text.match(/\w+/g)?.length ?? 0;

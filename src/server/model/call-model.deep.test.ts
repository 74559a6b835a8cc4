import { describe, expect, it } from "vitest";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { measureMedian } from "@/test/cpu-time";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { createScriptedModel, finishPart } from "@/test/scripted-model";
import { callModel } from "./call-model";
import type { ChatModel, StepRequest } from "./model-step";

const AT = new Date("2026-01-02T03:04:05Z");
const request: StepRequest = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  tools: [],
};

const chatModel = (client: LanguageModelV4): ChatModel => ({
  provider: "openai",
  model: "gpt-test",
  label: "openai/gpt-test",
  contextLimit: null,
  prices: null,
  client,
});

describe("callModel: load", () => {
  it("does not starve timers while many streams deliver thousands of parts", async () => {
    const createFloodClient = (): LanguageModelV4 => ({
      ...createScriptedModel([]),
      doStream: () => {
        let remaining = 20_000;
        return Promise.resolve({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            pull: (controller) => {
              if (remaining-- > 0)
                controller.enqueue({ type: "text-delta", id: "t", delta: "word " });
              else {
                controller.enqueue(finishPart());
                controller.close();
              }
            },
          }),
        });
      },
    });
    const deliver = async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () =>
          callModel(chatModel(createFloodClient()), request, {
            sink: { start: () => undefined, append: () => undefined, end: () => undefined },
            signal: new AbortController().signal,
            now: () => AT,
          }),
        ),
      );
      expect(outcomes.every((outcome) => outcome.type === "finished")).toBe(true);
    };
    const blocking = await measureMedian("streams, blocking", () => measureBlocking(deliver));
    expect(blocking).toBeLessThan(MAX_BLOCKING);
  });
});

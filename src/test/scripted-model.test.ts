import { describe, expect, it } from "vitest";
import {
  toolCallParts,
  finishPart,
  pendingForever,
  textParts,
  createScriptedModel,
  type ScriptedParts,
} from "./scripted-model";

const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];

const read = async (stream: ReadableStream): Promise<unknown[]> => {
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
};

describe("createScriptedModel", () => {
  it("answers each call with its step and records the requests", async () => {
    const first: ScriptedParts = [...textParts("Hello there"), finishPart()];
    const model = createScriptedModel([first, { throws: new Error("down") }]);
    const { stream } = await model.doStream({ prompt });
    expect(await read(stream)).toEqual(first);
    await expect(model.doStream({ prompt: [] })).rejects.toThrow("down");
    await expect(model.doStream({ prompt })).rejects.toThrow("no answer");
    expect(model.requests.map((request) => request.prompt.length)).toEqual([1, 0, 1]);
  });

  it("pauses the stream at a promise until it settles", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const model = createScriptedModel([[...textParts("a"), gate, finishPart()]]);
    const { stream } = await model.doStream({ prompt });
    const all = read(stream);
    open();
    expect(await all).toHaveLength(4);
  });

  it("ends a pending stream with the reason of the abort", async () => {
    const model = createScriptedModel([[...textParts("a"), pendingForever()]]);
    const abort = new AbortController();
    const { stream } = await model.doStream({ prompt, abortSignal: abort.signal });
    const reading = read(stream);
    abort.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
  });

  it("resolves after the number of calls", async () => {
    const model = createScriptedModel([[finishPart()], [finishPart()]]);
    const twice = model.waitForCalls(2);
    await model.doStream({ prompt });
    await model.doStream({ prompt });
    await expect(twice).resolves.toBeUndefined();
    await expect(model.waitForCalls(1)).resolves.toBeUndefined();
  });

  it("generates by collecting its own stream", async () => {
    const model = createScriptedModel([
      [
        ...textParts("Two words"),
        ...toolCallParts("call_1", "search", { q: 1 }),
        finishPart("tool-calls"),
      ],
    ]);
    const result = await model.doGenerate({ prompt });
    expect(result.content).toEqual([
      { type: "text", text: "Two words" },
      { type: "tool-call", toolCallId: "call_1", toolName: "search", input: '{"q":1}' },
    ]);
    expect(result.finishReason.unified).toBe("tool-calls");
  });

  it("rejects when generating from a truncated stream", async () => {
    const model = createScriptedModel([textParts("Two words")]);
    await expect(model.doGenerate({ prompt })).rejects.toThrow("without a finish part");
  });
});

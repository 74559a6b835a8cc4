import { describe, expect, it } from "vitest";
import {
  callsTool,
  finishes,
  hangs,
  saysText,
  scriptedModel,
  type ScriptedParts,
} from "./scripted-model";

const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];

const read = async (stream: ReadableStream): Promise<unknown[]> => {
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
};

describe("scriptedModel", () => {
  it("answers each call with its own step and keeps the requests", async () => {
    const first: ScriptedParts = [...saysText("Hello there"), finishes()];
    const model = scriptedModel([first, { throws: new Error("down") }]);
    const { stream } = await model.doStream({ prompt });
    expect(await read(stream)).toEqual(first);
    await expect(model.doStream({ prompt: [] })).rejects.toThrow("down");
    await expect(model.doStream({ prompt })).rejects.toThrow("no answer");
    expect(model.requests.map((request) => request.prompt.length)).toEqual([1, 0, 1]);
  });

  it("holds the stream at a promise until it settles", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const model = scriptedModel([[...saysText("a"), gate, finishes()]]);
    const { stream } = await model.doStream({ prompt });
    const all = read(stream);
    open();
    expect(await all).toHaveLength(4);
  });

  it("ends a hanging stream with the abort's reason", async () => {
    const model = scriptedModel([[...saysText("a"), hangs()]]);
    const abort = new AbortController();
    const { stream } = await model.doStream({ prompt, abortSignal: abort.signal });
    const reading = read(stream);
    abort.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
  });

  it("tells when it has been called", async () => {
    const model = scriptedModel([[finishes()], [finishes()]]);
    const twice = model.called(2);
    await model.doStream({ prompt });
    await model.doStream({ prompt });
    await expect(twice).resolves.toBeUndefined();
    await expect(model.called(1)).resolves.toBeUndefined();
  });

  it("generates by collecting its own stream", async () => {
    const model = scriptedModel([
      [
        ...saysText("Two words"),
        ...callsTool("call_1", "search", { q: 1 }),
        finishes("tool-calls"),
      ],
    ]);
    const result = await model.doGenerate({ prompt });
    expect(result.content).toEqual([
      { type: "text", text: "Two words" },
      { type: "tool-call", toolCallId: "call_1", toolName: "search", input: '{"q":1}' },
    ]);
    expect(result.finishReason.unified).toBe("tool-calls");
  });

  it("refuses to generate from a cut stream", async () => {
    const model = scriptedModel([saysText("Two words")]);
    await expect(model.doGenerate({ prompt })).rejects.toThrow("without a finish part");
  });
});

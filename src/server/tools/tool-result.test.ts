import { describe, expect, it } from "vitest";
import type { Artifact } from "@/contract/part";
import { artifactResult, withResponseHandled } from "@/test/tool-results";
import {
  type ToolResult,
  errorResult,
  jsonResult,
  silentResult,
  textForModel,
  toolResult,
  withError,
} from "./tool-result";

const artifact: Artifact = {
  id: "0197b1c0-0000-7000-8000-000000000001",
  name: "plot.png",
  media_type: "image/png",
  size: 12,
};
const none = { silent: false, isError: false, artifacts: [], responseHandled: false };

const constructed: [what: string, result: ToolResult, expected: ToolResult][] = [
  ["toolResult: text for the model only", toolResult("a"), { ...none, forLlm: "a" }],
  ["silentResult: collapsed", silentResult("a"), { ...none, forLlm: "a", silent: true }],
  [
    "errorResult: nothing for the person but the state",
    errorResult("a"),
    { ...none, forLlm: "a", isError: true },
  ],
  [
    "jsonResult: data and its text",
    jsonResult({ n: 0 }),
    { ...none, forLlm: '{"n":0}', value: { n: 0 } },
  ],
];

describe("a result made by", () => {
  it.each(constructed)("%s", (_what, result, expected) => {
    expect(result).toEqual(expected);
  });

  it("withError keeps the cause and fails", () => {
    const cause = new Error("disk on fire");
    expect(withError(toolResult("a"), cause)).toEqual({
      ...none,
      forLlm: "a",
      isError: true,
      error: cause,
    });
  });

  it("a constructor is not changed by what is made of it", () => {
    const result = toolResult("a");
    withError(result, new Error("b"));
    expect(result).toEqual({ ...none, forLlm: "a" });
  });
});

describe("textForModel", () => {
  const handled = "The user already has this output";
  const files = `Artifacts: [${artifact.id} "plot.png" image/png 12 bytes]`;
  const filesNote = "The user sees these files";

  it("is forLlm, even when there is a cause", () => {
    expect(textForModel(withError(toolResult("a"), new Error("b")))).toBe("a");
  });

  it.each<[string, unknown, string]>([
    ["an error's message", new Error("disk on fire"), "disk on fire"],
    ["the name of an error without message", new TypeError(""), "TypeError"],
    ["a thrown text", "disk on fire", "disk on fire"],
    ["a sentence for anything else", { secret: 1 }, "unknown error"],
  ])("is, when forLlm is empty, %s", (_what, cause, text) => {
    expect(textForModel(withError(toolResult(""), cause))).toBe(text);
  });

  it("adds the handled note on a line of its own", () => {
    expect(textForModel(withResponseHandled(toolResult("a"))).split("\n")).toEqual([
      "a",
      expect.stringContaining(handled),
    ]);
  });

  it("is the handled note alone when there is no text", () => {
    expect(textForModel(withResponseHandled(toolResult("")))).toMatch(new RegExp(`^${handled}`));
  });

  it("adds the artifact line and its note last", () => {
    const result = withResponseHandled(artifactResult("a", [artifact]));
    expect(textForModel(result).split("\n")).toEqual([
      "a",
      expect.stringContaining(handled),
      files,
      expect.stringContaining(filesNote),
    ]);
  });

  it("adds each note once, however often it is rendered", () => {
    const result = withResponseHandled(artifactResult("a", [artifact]));
    const once = textForModel(result);
    expect(textForModel({ ...result, forLlm: once })).toBe(once);
  });

  it("quotes a file name that could pass for another line", () => {
    const text = textForModel(artifactResult("", [{ ...artifact, name: 'a"]\nfake' }]));
    expect(text.split("\n")).toHaveLength(2);
  });
});

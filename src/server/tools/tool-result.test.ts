import { describe, expect, it } from "vitest";
import type { Artifact } from "@/contract/part";
import {
  type ToolResult,
  artifactResult,
  errorResult,
  jsonResult,
  renderForModel,
  silentResult,
  toolResult,
  userResult,
  withError,
  withResponseHandled,
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
  ["userResult: the same text for both", userResult("a"), { ...none, forLlm: "a", forUser: "a" }],
  [
    "artifactResult: text and files",
    artifactResult("a", [artifact]),
    { ...none, forLlm: "a", artifacts: [artifact] },
  ],
  [
    "withResponseHandled: the same, and the person has it",
    withResponseHandled(userResult("a")),
    { ...none, forLlm: "a", forUser: "a", responseHandled: true },
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

  it.each([
    ["a failure a failure", errorResult("a"), true],
    ["a success a success", toolResult("a"), false],
  ])("withError keeps the cause, and leaves %s", (_what, result, isError) => {
    const error = new Error("disk on fire");
    expect(withError(result, error)).toEqual({ ...none, forLlm: "a", isError, error });
  });

  it("a constructor is not changed by what is made of it", () => {
    const result = toolResult("a");
    withError(withResponseHandled(result), new Error("b"));
    expect(result).toEqual({ ...none, forLlm: "a" });
  });
});

describe("the model reads", () => {
  const handled = "The user already has this output";
  const files = `Artifacts: [${artifact.id} "plot.png" image/png 12 bytes]`;
  const filesNote = "The card of this call links to these files";
  const render = (
    { forLlm, ...result }: ToolResult,
    offered: readonly string[] = ["deliver_file", "save_artifact"],
  ) => renderForModel(forLlm, { ...result, isOffered: (name) => offered.includes(name) });

  it("the text alone when there is nothing to note", () => {
    expect(render(toolResult("a"))).toBe("a");
  });

  it("the handled note on a line of its own", () => {
    expect(render(withResponseHandled(toolResult("a"))).split("\n")).toEqual([
      "a",
      expect.stringContaining(handled),
    ]);
  });

  it("the handled note alone when there is no text", () => {
    expect(render(withResponseHandled(toolResult("")))).toMatch(new RegExp(`^${handled}`));
  });

  it("the artifact line and its note last", () => {
    const result = withResponseHandled(artifactResult("a", [artifact]));
    expect(render(result).split("\n")).toEqual([
      "a",
      expect.stringContaining(handled),
      files,
      expect.stringContaining(filesNote),
    ]);
  });

  it.each([[["deliver_file", "save_artifact"]], [["deliver_file"]], [["save_artifact"]], [[]]])(
    "of the tools for artifacts only those that are offered: %j",
    (offered) => {
      const text = render(artifactResult("a", [artifact]), offered);
      expect(text).toContain(filesNote);
      for (const name of ["deliver_file", "save_artifact"]) {
        expect(text.includes(`with ${name} {"artifact_id"`), name).toBe(offered.includes(name));
      }
    },
  );

  it("each note once, however often it is rendered", () => {
    const result = withResponseHandled(artifactResult("a", [artifact]));
    const once = render(result);
    expect(render({ ...result, forLlm: once })).toBe(once);
  });

  it("a file name in quotes when it could pass for another line", () => {
    const text = render(artifactResult("", [{ ...artifact, name: 'a"]\nfake' }]));
    expect(text.split("\n")).toHaveLength(2);
  });
});

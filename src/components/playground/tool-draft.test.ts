import { describe, expect, it } from "vitest";
import { MAX_TOOL_SCHEMA_BYTES } from "@/contract/limits";
import type { JsonValue } from "@/contract/json";
import { readToolDraft, ToolDraft, toToolErrors } from "./tool-draft";
import { TOOL_EXAMPLES } from "./tool-examples";

const [{ draft: EXAMPLE }] = TOOL_EXAMPLES;

const getErrors = (changes: Partial<ToolDraft>) => {
  const result = readToolDraft({ ...EXAMPLE, ...changes });
  return "errors" in result ? result.errors : {};
};
const nest = (depth: number): JsonValue =>
  depth === 0 ? {} : { properties: { inner: nest(depth - 1) } };

describe("readToolDraft", () => {
  it("accepts the examples", () => {
    for (const { draft } of TOOL_EXAMPLES) expect(readToolDraft(draft)).toHaveProperty("trial");
  });

  it.each([
    ['{\n  "type": "object",\n}', "Line 3 is not JSON. “}” is unexpected here."],
    ['{\n  "type": objec\n}', "Line 2 is not JSON. “o” is unexpected here."],
    ['{\n  "type": "object"\n', "Line 2 is not JSON. It ends too early."],
    ["", "Line 1 is not JSON. It ends too early."],
    ["{} {}", "Line 1 is not JSON. “{” is unexpected here."],
  ])("names the line at which %j is not JSON", (inputSchema, sentence) => {
    expect(getErrors({ inputSchema })).toEqual({ inputSchema: sentence });
  });

  it("names the line of a keyword that makes a schema unusable", () => {
    const outputSchema = `{
  "properties": {
    "type": { "type": "string" },
    "days": {
      "type": "strin"
    }
  }
}`;
    expect(getErrors({ outputSchema }).outputSchema).toMatch(/^Line 5: “type” cannot be this/);
    expect(getErrors({ outputSchema: "[]" }).outputSchema).toMatch(
      /^Line 1: this is not a JSON Sch/,
    );
  });

  it("names what the server refuses", () => {
    expect(getErrors({ name: "a b" }).name).toBe("Enter 1 to 64 letters, digits, “_” or “-”.");
    expect(getErrors({ message: " " }).message).toBe("Enter what the chat begins with.");
    expect(getErrors({ description: "x".repeat(10_001) }).description).toMatch(/10000/);
    const deep = JSON.stringify(nest(17), null, 1);
    expect(getErrors({ inputSchema: deep }).inputSchema).toMatch(
      /^Line \d+: the schema is nested too deeply\.$/,
    );
    const long = JSON.stringify({ title: "x".repeat(MAX_TOOL_SCHEMA_BYTES) });
    expect(getErrors({ inputSchema: long }).inputSchema).toBe(
      `Line 1: the schema is over ${MAX_TOOL_SCHEMA_BYTES} bytes.`,
    );
  });
});

describe("the answer of a draft", () => {
  const readAnswer = (changes: Partial<ToolDraft>) => {
    const result = readToolDraft({ ...EXAMPLE, ...changes });
    return "trial" in result ? result.trial.answer : undefined;
  };
  const form = (value: JsonValue): ToolDraft["answer"] =>
    EXAMPLE.answer && { ...EXAMPLE.answer, form: { value } };

  it("is what the form sends", () => {
    expect(readAnswer({})).toEqual({ approved: true, reason: "It arrived broken." });
    expect(readAnswer({ answer: form({ approved: false }) })).toEqual({ approved: false });
  });

  it("is missing while the form is not filled in, or answers with an error", () => {
    expect(readAnswer({ answer: null })).toBeUndefined();
    expect(readAnswer({ answer: form({ reason: "It broke." }) })).toBeUndefined();
    expect(
      readAnswer({ answer: EXAMPLE.answer && { ...EXAMPLE.answer, isError: true } }),
    ).toBeUndefined();
  });

  it("is dropped from a draft of another version of the page, and the rest is kept", () => {
    const stored = { ...EXAMPLE, name: "kept", answer: '{"approved": true}' };
    expect(ToolDraft.parse(stored)).toEqual({ ...EXAMPLE, name: "kept", answer: null });
  });
});

describe("toToolErrors", () => {
  it("assigns what the server refused to the fields", () => {
    const problem = {
      type: "about:blank",
      title: "Invalid request",
      status: 400,
      code: "invalid" as const,
      detail: "Some fields are invalid.",
      request_id: "req_1",
      errors: [
        { pointer: "/dynamic_tools/0/output_schema", message: "is nested too deeply" },
        { pointer: "/content", message: "is too long" },
        { pointer: "/model_id", message: "names no model" },
      ],
    };
    expect(toToolErrors(problem)).toEqual({
      outputSchema: "Is nested too deeply.",
      message: "Is too long.",
    });
    expect(toToolErrors(undefined)).toEqual({});
  });
});

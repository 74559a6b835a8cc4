import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { BUILTIN_TOOL_NAMES } from "@/server/app/tool-registry";
import { createRecordMeter } from "./meters";
import { createToolLabeler, createTurnMeter } from "./turn-meter";

const createMeter = () => {
  const register = new Registry();
  return {
    meter: createTurnMeter(createRecordMeter(register), BUILTIN_TOOL_NAMES),
    read: () => register.metrics(),
  };
};
const MODEL = { provider: "openai" as const, model: "gpt-5", label: "openai/gpt-5" };
const labels = 'provider="openai",model="gpt-5"';

const toToolLabel = createToolLabeler(new Set(BUILTIN_TOOL_NAMES));

describe("toToolLabel", () => {
  it.each(BUILTIN_TOOL_NAMES)("keeps the name of the built-in %s", (toolName) => {
    expect(toToolLabel({ kind: "builtin", toolName })).toEqual({ tool: toolName });
  });

  it.each([
    ["dynamic", "ask_customer_4711", "dynamic"],
    ["dynamic", "read_file", "dynamic"],
    ["recipe", "deploy", "recipe"],
    ["mcp", "docs_search", "mcp"],
    ["builtin", "made_up_by_a_model", "unknown"],
    ["builtin", "", "unknown"],
    ["builtin", "constructor", "unknown"],
  ] as const)("hides any other name: %s %s", (kind, toolName, label) => {
    expect(toToolLabel({ kind, toolName })).toEqual({ tool: label });
  });
});

describe("createTurnMeter", () => {
  it("records steps, retries and turns, with the size of prompts and the time to the first part", async () => {
    const { meter: turns, read } = createMeter();
    turns.record("promptMessages", MODEL, 3);
    turns.record("promptBytes", MODEL, 5_000);
    turns.record("firstPartSeconds", MODEL, 0.2);
    turns.record("steps", MODEL);
    turns.record("retries", { ...MODEL, kind: "overloaded" });
    turns.record("turns", { ending: "parked" });
    const text = await read();
    expect(text).toContain(`parley_steps_total{${labels}} 1`);
    expect(text).toContain(`parley_model_retries_total{${labels},kind="overloaded"} 1`);
    expect(text).toContain('parley_turns_total{ending="parked"} 1');
    expect(text).toContain(`parley_ttft_seconds_bucket{le="0.25",${labels}} 1`);
    expect(text).toContain(`parley_prompt_bytes_sum{${labels}} 5000`);
    expect(text).toContain(`parley_prompt_messages_sum{${labels}} 3`);
  });
});

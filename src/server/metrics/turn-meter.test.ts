import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { BUILTIN_TOOL_NAMES } from "@/server/app/tool-registry";
import { createToolLabeler, createTurnMeter } from "./turn-meter";

const createMeter = () => {
  const register = new Registry();
  return { meter: createTurnMeter(register, BUILTIN_TOOL_NAMES), read: () => register.metrics() };
};
const MODEL = { provider: "openai" as const, model: "gpt-5", label: "openai/gpt-5" };
const labels = 'provider="openai",model="gpt-5"';

const toToolLabel = createToolLabeler(new Set(BUILTIN_TOOL_NAMES));

describe("toToolLabel", () => {
  it.each(BUILTIN_TOOL_NAMES)("keeps the name of the built-in %s", (toolName) => {
    expect(toToolLabel({ kind: "builtin", toolName })).toBe(toolName);
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
    expect(toToolLabel({ kind, toolName })).toBe(label);
  });
});

describe("createTurnMeter", () => {
  it("records steps, retries and turns, with the size of prompts and the time to the first part", async () => {
    const { meter: turns, read } = createMeter();
    turns.recordPrompt(MODEL, { messages: 3, bytes: 5_000 });
    turns.recordFirstPart(MODEL, 0.2);
    turns.recordStep(MODEL);
    turns.recordRetry(MODEL, "overloaded");
    turns.recordTurnEnd("parked");
    const text = await read();
    expect(text).toContain(`parley_steps_total{${labels}} 1`);
    expect(text).toContain(`parley_model_retries_total{${labels},kind="overloaded"} 1`);
    expect(text).toContain('parley_turns_total{ending="parked"} 1');
    expect(text).toContain(`parley_ttft_seconds_bucket{le="0.25",${labels}} 1`);
    expect(text).toContain(`parley_prompt_bytes_sum{${labels}} 5000`);
    expect(text).toContain(`parley_prompt_messages_sum{${labels}} 3`);
  });

  it("records tool calls and their errors", async () => {
    const { meter: turns, read } = createMeter();
    const call = { kind: "builtin" as const, toolName: "read_file" };
    turns.recordCall(call, { isError: false, bytes: 100 });
    turns.recordCall(call, { isError: true, bytes: 50 });
    turns.recordCall({ kind: "builtin", toolName: "x".repeat(99) }, { isError: true, bytes: 1 });
    const text = await read();
    expect(text).toContain('parley_tool_result_bytes_count{tool="read_file"} 2');
    expect(text).toContain('parley_tool_errors_total{tool="read_file"} 1');
    expect(text).toContain('parley_tool_errors_total{tool="unknown"} 1');
    expect(text).not.toContain("xxx");
  });

  it("records the advisor under its own label", async () => {
    const { meter: turns, read } = createMeter();
    const usage = { input_tokens: 10, output_tokens: 5 };
    turns.recordAdvisorRequest({ ending: "advice", seconds: 3, usage, refunded: false });
    turns.recordAdvisorRequest({ ending: "error", seconds: 1, usage, refunded: true });
    turns.recordAdvisorRequest({
      ending: "limit_reached",
      seconds: 0,
      usage: undefined,
      refunded: false,
    });
    turns.recordRejectedBatch({ kind: "builtin", toolName: "advisor" }, 2);
    const text = await read();
    for (const line of [
      'parley_advisor_invocations_total{tool="advisor",outcome="advice"} 1',
      'parley_advisor_invocations_total{tool="advisor",outcome="error"} 1',
      'parley_advisor_invocations_total{tool="advisor",outcome="limit_reached"} 1',
      'parley_advisor_duration_seconds_count{tool="advisor"} 2',
      'parley_advisor_tokens_total{tool="advisor",direction="input"} 20',
      'parley_advisor_tokens_total{tool="advisor",direction="output"} 10',
      'parley_advisor_refunds_total{tool="advisor"} 1',
      'parley_exclusive_rejections_total{tool="advisor"} 2',
    ]) {
      expect(text).toContain(line);
    }
  });
});

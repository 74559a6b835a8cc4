import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { BUILTIN_TOOL_NAMES } from "@/contract/tool-outputs";
import { createTurnMeter, toolLabel } from "./turn-meter";

const meter = () => {
  const register = new Registry();
  return { meter: createTurnMeter(register), read: () => register.metrics() };
};
const MODEL = { provider: "openai" as const, model: "gpt-5", label: "openai/gpt-5" };
const of = 'provider="openai",model="gpt-5"';

describe("a tool’s label", () => {
  it.each(BUILTIN_TOOL_NAMES)("is its name for the built-in %s", (toolName) => {
    expect(toolLabel({ kind: "builtin", toolName })).toBe(toolName);
  });

  it.each([
    ["dynamic", "ask_customer_4711", "dynamic"],
    ["dynamic", "read_file", "dynamic"],
    ["recipe", "deploy", "recipe"],
    ["mcp", "docs_search", "mcp"],
    ["builtin", "made_up_by_a_model", "unknown"],
    ["builtin", "", "unknown"],
    ["builtin", "constructor", "unknown"],
  ] as const)("is never a name of somebody else: %s %s", (kind, toolName, label) => {
    expect(toolLabel({ kind, toolName })).toBe(label);
  });
});

describe("the meter", () => {
  it("counts steps, retries, turns, and how large and how quick they were", async () => {
    const { meter: turns, read } = meter();
    turns.promptSent(MODEL, { messages: 3, bytes: 5_000 });
    turns.firstPart(MODEL, 0.2);
    turns.stepCommitted(MODEL);
    turns.retried(MODEL, "overloaded");
    turns.turnEnded("parked");
    const text = await read();
    expect(text).toContain(`parley_steps_total{${of}} 1`);
    expect(text).toContain(`parley_model_retries_total{${of},kind="overloaded"} 1`);
    expect(text).toContain('parley_turns_total{ending="parked"} 1');
    expect(text).toContain(`parley_ttft_seconds_bucket{le="0.25",${of}} 1`);
    expect(text).toContain(`parley_prompt_bytes_sum{${of}} 5000`);
    expect(text).toContain(`parley_prompt_messages_sum{${of}} 3`);
  });

  it("counts tool calls and their errors", async () => {
    const { meter: turns, read } = meter();
    const call = { kind: "builtin" as const, toolName: "read_file" };
    turns.callSettled(call, { isError: false, bytes: 100 });
    turns.callSettled(call, { isError: true, bytes: 50 });
    turns.callSettled({ kind: "builtin", toolName: "x".repeat(99) }, { isError: true, bytes: 1 });
    const text = await read();
    expect(text).toContain('parley_tool_result_bytes_count{tool="read_file"} 2');
    expect(text).toContain('parley_tool_errors_total{tool="read_file"} 1');
    expect(text).toContain('parley_tool_errors_total{tool="unknown"} 1');
    expect(text).not.toContain("xxx");
  });

  it("counts all of the advisor under its own label", async () => {
    const { meter: turns, read } = meter();
    const usage = { input_tokens: 10, output_tokens: 5 };
    turns.advisorEnded({ ending: "advice", seconds: 3, usage, refunded: false });
    turns.advisorEnded({ ending: "error", seconds: 1, usage, refunded: true });
    turns.advisorEnded({ ending: "limit_reached", seconds: 0, usage: undefined, refunded: false });
    turns.batchRefused({ kind: "builtin", toolName: "advisor" }, 2);
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

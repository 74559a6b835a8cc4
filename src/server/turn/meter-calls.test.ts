import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { BUILTIN_TOOL_NAMES } from "@/server/app/tool-registry";
import { createRecordMeter } from "@/server/metrics/meters";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import { meterAdvisor, meterCalls } from "./meter-calls";

const createMeter = () => {
  const register = new Registry();
  const meter = createTurnMeter(createRecordMeter(register), BUILTIN_TOOL_NAMES);
  return { meter, read: () => register.metrics() };
};

it("records tool calls that have ended, and their errors", async () => {
  const { meter, read } = createMeter();
  const call = { kind: "builtin", toolName: "read_file", isError: false, output: "a" } as const;
  const ended = { ...call, state: "completed" } as const;
  const failed = { ...call, state: "error", isError: true } as const;
  const unknown = { ...failed, toolName: "x".repeat(99) };
  meterCalls(meter, [ended, failed, unknown, { ...call, state: "awaiting_result" }]);
  const text = await read();
  expect(text).toContain('parley_tool_result_bytes_count{tool="read_file"} 2');
  expect(text).toContain('parley_tool_result_bytes_sum{tool="read_file"} 6');
  expect(text).toContain('parley_tool_errors_total{tool="read_file"} 1');
  expect(text).toContain('parley_tool_errors_total{tool="unknown"} 1');
  expect(text).not.toContain("xxx");
});

it("records the advisor under its own label", async () => {
  const { meter, read } = createMeter();
  const usage = { input_tokens: 10, output_tokens: 5 };
  meterAdvisor(meter, { ending: "advice", seconds: 3, usage, isRefunded: false });
  meterAdvisor(meter, { ending: "error", seconds: 1, usage, isRefunded: true });
  const refused = { seconds: 0, usage: undefined, isRefunded: false };
  meterAdvisor(meter, { ending: "limit_reached", ...refused });
  const text = await read();
  for (const line of [
    'parley_advisor_invocations_total{tool="advisor",outcome="advice"} 1',
    'parley_advisor_invocations_total{tool="advisor",outcome="error"} 1',
    'parley_advisor_invocations_total{tool="advisor",outcome="limit_reached"} 1',
    'parley_advisor_duration_seconds_count{tool="advisor"} 2',
    'parley_advisor_tokens_total{tool="advisor",direction="input"} 20',
    'parley_advisor_tokens_total{tool="advisor",direction="output"} 10',
    'parley_advisor_refunds_total{tool="advisor"} 1',
  ]) {
    expect(text).toContain(line);
  }
});

import { Counter, Histogram, type Registry } from "prom-client";
import type { AdvisorUsage } from "@/contract/advisor";
import type { ErrorKind } from "@/contract/chat-error";
import type { ProviderName } from "@/contract/model";
import type { ToolKind } from "@/contract/part";

/** The `tool` label of all metrics of the advisor. */
const ADVISOR = "advisor";

type MeteredModel = { provider: ProviderName; model: string };
type MeteredCall = { kind: ToolKind; toolName: string };

export type TurnEnding =
  "finished" | "parked" | "failed" | "deferred" | "interrupted" | "shutdown" | "lost";
export type AdvisorEnding = "advice" | "limit_reached" | "error" | "aborted";

/** Records what turns do. No method throws or blocks. */
export type TurnMeter = {
  recordPrompt: (model: MeteredModel, prompt: { messages: number; bytes: number }) => void;
  /** @param seconds from the request to the answer's first part. */
  recordFirstPart: (model: MeteredModel, seconds: number) => void;
  recordStep: (model: MeteredModel) => void;
  recordRetry: (model: MeteredModel, kind: ErrorKind) => void;
  /** Records that this worker no longer runs a turn. */
  recordTurnEnd: (ending: TurnEnding) => void;
  /** Records a call that this worker settled. */
  recordCall: (call: MeteredCall, result: { isError: boolean; bytes: number }) => void;
  /** Records a result of which the model reads only a part. */
  recordTruncation: (call: MeteredCall) => void;
  /** Records calls that were rejected because an exclusive tool was not the only one. */
  recordRejectedBatch: (exclusive: MeteredCall, calls: number) => void;
  recordAdvisorRequest: (request: {
    ending: AdvisorEnding;
    seconds: number;
    usage: AdvisorUsage | undefined;
    refunded: boolean;
  }) => void;
};

const MODEL_LABELS = ["provider", "model"] as const;

/**
 * @param register the registry of the created metrics.
 * @param builtinTools their names are the only ones that become a label's value.
 */
export const createTurnMeter = (
  register: Registry,
  builtinTools: readonly string[],
): TurnMeter => ({
  ...createModelMeter(register),
  ...createCallMeter(register, new Set(builtinTools)),
  ...createAdvisorMeter(register),
});

const createModelMeter = (register: Registry) => {
  const registers = [register];
  const messages = new Histogram({
    name: "parley_prompt_messages",
    help: "Messages of the prompt of one step.",
    labelNames: MODEL_LABELS,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
    registers,
  });
  const bytes = new Histogram({
    name: "parley_prompt_bytes",
    help: "Bytes of texts and calls in the prompt of one step.",
    labelNames: MODEL_LABELS,
    buckets: [1, 4, 16, 64, 256, 1024, 4096].map((kilobytes) => kilobytes * 1024),
    registers,
  });
  const firstPart = new Histogram({
    name: "parley_ttft_seconds",
    help: "Time from a step's model call to the first part of its answer.",
    labelNames: MODEL_LABELS,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
    registers,
  });
  const steps = new Counter({
    name: "parley_steps_total",
    help: "Steps that were committed.",
    labelNames: MODEL_LABELS,
    registers,
  });
  const retries = new Counter({
    name: "parley_model_retries_total",
    help: "Failed model calls of a step that are retried, by kind of failure.",
    labelNames: [...MODEL_LABELS, "kind"],
    registers,
  });
  const turns = new Counter({
    name: "parley_turns_total",
    help: "Turns that ended on a worker, by ending.",
    labelNames: ["ending"],
    registers,
  });
  return {
    recordPrompt: (model: MeteredModel, prompt: { messages: number; bytes: number }): void => {
      messages.observe(toModelLabels(model), prompt.messages);
      bytes.observe(toModelLabels(model), prompt.bytes);
    },
    recordFirstPart: (model: MeteredModel, seconds: number): void =>
      firstPart.observe(toModelLabels(model), seconds),
    recordStep: (model: MeteredModel): void => steps.inc(toModelLabels(model)),
    recordRetry: (model: MeteredModel, kind: ErrorKind): void =>
      retries.inc({ ...toModelLabels(model), kind }),
    recordTurnEnd: (ending: TurnEnding): void => turns.inc({ ending }),
  };
};

const toModelLabels = ({ provider, model }: MeteredModel) => ({ provider, model });

const createCallMeter = (register: Registry, builtinTools: ReadonlySet<string>) => {
  const toToolLabel = createToolLabeler(builtinTools);
  const registers = [register];
  const sizes = new Histogram({
    name: "parley_tool_result_bytes",
    help: "Bytes of JSON of the outcome of one tool call that a worker settled.",
    labelNames: ["tool"],
    buckets: [64, 256, 1024, 4096, 16_384, 65_536],
    registers,
  });
  const errors = new Counter({
    name: "parley_tool_errors_total",
    help: "Tool calls that a worker settled as errors, including rejected ones.",
    labelNames: ["tool"],
    registers,
  });
  const truncations = new Counter({
    name: "parley_tool_result_truncated_total",
    help: "Results of tool calls of which the model reads only a part, as the whole is too long.",
    labelNames: ["tool"],
    registers,
  });
  const rejections = new Counter({
    name: "parley_exclusive_rejections_total",
    help: "Calls rejected because an exclusive tool was in a batch with others.",
    labelNames: ["tool"],
    registers,
  });
  return {
    recordCall: (call: MeteredCall, result: { isError: boolean; bytes: number }): void => {
      const tool = toToolLabel(call);
      sizes.observe({ tool }, result.bytes);
      if (result.isError) errors.inc({ tool });
    },
    recordTruncation: (call: MeteredCall): void => truncations.inc({ tool: toToolLabel(call) }),
    recordRejectedBatch: (exclusive: MeteredCall, calls: number): void =>
      rejections.inc({ tool: toToolLabel(exclusive) }, calls),
  };
};

/**
 * Creates what converts a tool to a label's value. Names from clients and models are unbounded, and each label's
 * value stays in memory until the process ends, so only names of built-in tools become one.
 */
export const createToolLabeler =
  (builtinTools: ReadonlySet<string>) =>
  ({ kind, toolName }: MeteredCall): string => {
    if (kind !== "builtin") return kind;
    return builtinTools.has(toolName) ? toolName : "unknown";
  };

const createAdvisorMeter = (register: Registry): Pick<TurnMeter, "recordAdvisorRequest"> => {
  const registers = [register];
  const invocations = new Counter({
    name: "parley_advisor_invocations_total",
    help: "Requests to the advisor, by outcome.",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "parley_advisor_duration_seconds",
    help: "Duration of a request to the advisor, including retries.",
    labelNames: ["tool"],
    buckets: [0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300],
    registers,
  });
  const tokens = new Counter({
    name: "parley_advisor_tokens_total",
    help: "Tokens of the advisor's model calls.",
    labelNames: ["tool", "direction"],
    registers,
  });
  const refunds = new Counter({
    name: "parley_advisor_refunds_total",
    help: "Uses of the advisor that were refunded because there was no advice.",
    labelNames: ["tool"],
    registers,
  });
  return {
    recordAdvisorRequest: ({ ending, usage, refunded, ...request }) => {
      invocations.inc({ tool: ADVISOR, outcome: ending });
      // At the limit no request is sent, so there is no duration.
      if (ending !== "limit_reached") seconds.observe({ tool: ADVISOR }, request.seconds);
      if (refunded) refunds.inc({ tool: ADVISOR });
      if (!usage) return;
      tokens.inc({ tool: ADVISOR, direction: "input" }, usage.input_tokens);
      tokens.inc({ tool: ADVISOR, direction: "output" }, usage.output_tokens);
    },
  };
};

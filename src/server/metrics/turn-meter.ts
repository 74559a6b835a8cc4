import { Counter, Histogram, type Registry } from "prom-client";
import type { AdvisorUsage } from "@/contract/advisor";
import type { ErrorKind } from "@/contract/chat-error";
import type { ProviderName } from "@/contract/model";
import type { ToolKind } from "@/contract/part";
import { BUILTIN_TOOL_NAMES } from "@/contract/tool-outputs";

/** The tool under which everything about the advisor is counted. */
const ADVISOR = "advisor";

type MeteredModel = { provider: ProviderName; model: string };
type MeteredCall = { kind: ToolKind; toolName: string };

export type TurnEnding = "finished" | "parked" | "failed" | "interrupted" | "shutdown" | "lost";
export type AdvisorEnding = "advice" | "limit_reached" | "error" | "aborted";

/** Counts what turns do. Nothing here throws or waits. */
export type TurnMeter = {
  promptSent: (model: MeteredModel, prompt: { messages: number; bytes: number }) => void;
  /** @param seconds from the request to the first sign of an answer. */
  firstPart: (model: MeteredModel, seconds: number) => void;
  stepCommitted: (model: MeteredModel) => void;
  retried: (model: MeteredModel, kind: ErrorKind) => void;
  /** The turn left this worker's hands. */
  turnEnded: (ending: TurnEnding) => void;
  /** A call that this worker settled. */
  callSettled: (call: MeteredCall, result: { isError: boolean; bytes: number }) => void;
  /** Calls that were refused since an exclusive tool was not alone. */
  batchRefused: (exclusive: MeteredCall, calls: number) => void;
  advisorEnded: (asked: {
    ending: AdvisorEnding;
    seconds: number;
    usage: AdvisorUsage | undefined;
    refunded: boolean;
  }) => void;
};

const MODEL_LABELS = ["provider", "model"] as const;

/** @param register where the metrics are read from. */
export const createTurnMeter = (register: Registry): TurnMeter => ({
  ...modelMeter(register),
  ...callMeter(register),
  ...advisorMeter(register),
});

const modelMeter = (register: Registry) => {
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
    help: "Bytes of what is said and called in the prompt of one step.",
    labelNames: MODEL_LABELS,
    buckets: [1, 4, 16, 64, 256, 1024, 4096].map((kilobytes) => kilobytes * 1024),
    registers,
  });
  const firstPart = new Histogram({
    name: "parley_ttft_seconds",
    help: "Time from a step's model call to the first sign of its answer.",
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
    help: "Model calls of a step that failed and were to be tried again, by the kind of failure.",
    labelNames: [...MODEL_LABELS, "kind"],
    registers,
  });
  const turns = new Counter({
    name: "parley_turns_total",
    help: "Turns that left a worker's hands, by how.",
    labelNames: ["ending"],
    registers,
  });
  return {
    promptSent: (model: MeteredModel, prompt: { messages: number; bytes: number }): void => {
      messages.observe(labels(model), prompt.messages);
      bytes.observe(labels(model), prompt.bytes);
    },
    firstPart: (model: MeteredModel, seconds: number): void =>
      firstPart.observe(labels(model), seconds),
    stepCommitted: (model: MeteredModel): void => steps.inc(labels(model)),
    retried: (model: MeteredModel, kind: ErrorKind): void =>
      retries.inc({ ...labels(model), kind }),
    turnEnded: (ending: TurnEnding): void => turns.inc({ ending }),
  };
};

const labels = ({ provider, model }: MeteredModel) => ({ provider, model });

const callMeter = (register: Registry) => {
  const registers = [register];
  const sizes = new Histogram({
    name: "parley_tool_result_bytes",
    help: "Bytes of JSON of the outcome of one tool call that the worker settled.",
    labelNames: ["tool"],
    buckets: [64, 256, 1024, 4096, 16_384, 65_536],
    registers,
  });
  const errors = new Counter({
    name: "parley_tool_errors_total",
    help: "Tool calls that the worker settled as an error, refused ones too.",
    labelNames: ["tool"],
    registers,
  });
  const refused = new Counter({
    name: "parley_exclusive_rejections_total",
    help: "Calls refused since the tool, which must be alone, stood in a batch with others.",
    labelNames: ["tool"],
    registers,
  });
  return {
    callSettled: (call: MeteredCall, result: { isError: boolean; bytes: number }): void => {
      const tool = toolLabel(call);
      sizes.observe({ tool }, result.bytes);
      if (result.isError) errors.inc({ tool });
    },
    batchRefused: (exclusive: MeteredCall, calls: number): void =>
      refused.inc({ tool: toolLabel(exclusive) }, calls),
  };
};

const BUILTIN: ReadonlySet<string> = new Set(BUILTIN_TOOL_NAMES);

/**
 * A tool as a label's value. Names that a client chose or a model made up never become one: there
 * is no end to them, and each would be kept for as long as the process lives.
 */
export const toolLabel = ({ kind, toolName }: MeteredCall): string => {
  if (kind !== "builtin") return kind;
  return BUILTIN.has(toolName) ? toolName : "unknown";
};

const advisorMeter = (register: Registry): Pick<TurnMeter, "advisorEnded"> => {
  const registers = [register];
  const invocations = new Counter({
    name: "parley_advisor_invocations_total",
    help: "Questions to the advisor, by how they ended.",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "parley_advisor_duration_seconds",
    help: "Time that a question to the advisor took, tries included.",
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
    help: "Uses of the advisor that were given back since they brought no advice.",
    labelNames: ["tool"],
    registers,
  });
  return {
    advisorEnded: ({ ending, usage, refunded, ...asked }) => {
      invocations.inc({ tool: ADVISOR, outcome: ending });
      // Nothing was asked, so there is no time to tell of.
      if (ending !== "limit_reached") seconds.observe({ tool: ADVISOR }, asked.seconds);
      if (refunded) refunds.inc({ tool: ADVISOR });
      if (!usage) return;
      tokens.inc({ tool: ADVISOR, direction: "input" }, usage.input_tokens);
      tokens.inc({ tool: ADVISOR, direction: "output" }, usage.output_tokens);
    },
  };
};

import { Counter, Histogram, type Registry } from "prom-client";

type Meter = {
  name: string;
  help: string;
  labels: readonly string[];
  /** Makes it a histogram; others are counters. */
  buckets?: readonly number[];
};

const MODEL = ["provider", "model"] as const;
const TOOL = ["tool"] as const;

/** All that this process counts and measures. */
const METERS = {
  httpRequests: {
    name: "parley_http_requests_total",
    help: "Requests that were answered or given up, by the pattern of their path; a status of 499 is none.",
    labels: ["method", "route", "status"],
  },
  callWaitSeconds: {
    name: "parley_call_wait_seconds",
    help: "Time from a call until a client has answered it.",
    labels: [],
    buckets: [0.1, 0.3, 1, 3, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400],
  },
  conflicts: {
    name: "parley_conflicts_total",
    help: "Requests that were refused because of the state of a chat or another record, by the reason of the problem.",
    labels: ["reason"],
  },
  promptMessages: {
    name: "parley_prompt_messages",
    help: "Messages of the prompt of one step.",
    labels: MODEL,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  },
  promptBytes: {
    name: "parley_prompt_bytes",
    help: "Bytes of texts and calls in the prompt of one step.",
    labels: MODEL,
    buckets: [1, 4, 16, 64, 256, 1024, 4096].map((kilobytes) => kilobytes * 1024),
  },
  firstPartSeconds: {
    name: "parley_ttft_seconds",
    help: "Time from a step's model call to the first part of its answer.",
    labels: MODEL,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  },
  steps: { name: "parley_steps_total", help: "Steps that were committed.", labels: MODEL },
  compactions: {
    name: "parley_compactions_total",
    help: "Histories that were summed up, by the reason.",
    labels: [...MODEL, "reason"],
  },
  retries: {
    name: "parley_model_retries_total",
    help: "Failed model calls of a step that are retried, by kind of failure.",
    labels: [...MODEL, "kind"],
  },
  turns: {
    name: "parley_turns_total",
    help: "Turns that ended on a worker, by ending.",
    labels: ["ending"],
  },
  resultBytes: {
    name: "parley_tool_result_bytes",
    help: "Bytes of JSON of the outcome of one tool call that a worker settled.",
    labels: TOOL,
    buckets: [64, 256, 1024, 4096, 16_384, 65_536],
  },
  toolErrors: {
    name: "parley_tool_errors_total",
    help: "Tool calls that a worker settled as errors, including rejected ones.",
    labels: TOOL,
  },
  truncations: {
    name: "parley_tool_result_truncated_total",
    help: "Results of tool calls of which the model reads only a part, as the whole is too long.",
    labels: TOOL,
  },
  rejections: {
    name: "parley_exclusive_rejections_total",
    help: "Calls rejected because an exclusive tool was in a batch with others.",
    labels: TOOL,
  },
  advisorRequests: {
    name: "parley_advisor_invocations_total",
    help: "Requests to the advisor, by outcome.",
    labels: [...TOOL, "outcome"],
  },
  advisorSeconds: {
    name: "parley_advisor_duration_seconds",
    help: "Duration of a request to the advisor, including retries.",
    labels: TOOL,
    buckets: [0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300],
  },
  advisorTokens: {
    name: "parley_advisor_tokens_total",
    help: "Tokens of the advisor's model calls.",
    labels: [...TOOL, "direction"],
  },
  advisorRefunds: {
    name: "parley_advisor_refunds_total",
    help: "Uses of the advisor that were refunded because there was no advice.",
    labels: TOOL,
  },
  taskEnds: {
    name: "parley_task_ends_total",
    help: "Tasks that ended, by kind and state.",
    labels: ["kind", "state"],
  },
  deliverySeconds: {
    name: "parley_task_delivery_seconds",
    help: "Time from the end of a task until a worker had written its report into the chat.",
    labels: ["kind"],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 300, 3_600],
  },
  waitSeconds: {
    name: "parley_agent_wait_seconds",
    help: "Time for which calls have waited for agents, by what ended the wait.",
    labels: ["ended_by"],
    buckets: [0.3, 1, 3, 10, 30, 60, 300, 900, 1_800, 3_600],
  },
} as const satisfies Record<string, Meter>;

type Meters = typeof METERS;

/** Adds a value, by default 1, to a meter; other fields than its labels are left out. Does not throw or block. */
export type RecordMeter = <Key extends keyof Meters>(
  key: Key,
  labels: Record<Meters[Key]["labels"][number], string>,
  value?: number,
) => void;

/** @param register the registry of the created meters. */
export const createRecordMeter = (register: Registry): RecordMeter => {
  const registers = [register];
  const create = ({ name, help, labels, buckets }: Meter) => {
    const options = { name, help, labelNames: labels, registers };
    const counter = buckets ? undefined : new Counter(options);
    const histogram = buckets && new Histogram({ ...options, buckets: [...buckets] });
    return (given: Record<string, string>, value: number): void => {
      const own = Object.fromEntries(labels.map((label) => [label, given[label] ?? ""]));
      counter?.inc(own, value);
      histogram?.observe(own, value);
    };
  };
  const records = new Map(Object.entries(METERS).map(([key, meter]) => [key, create(meter)]));
  return (key, labels, value = 1) => records.get(key)?.(labels, value);
};

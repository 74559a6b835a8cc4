import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { ChatStatus } from "@/contract/chat";
import { OpenTaskState, TaskKind } from "@/contract/task-state";
import { shareInProcess } from "@/server/share-in-process";
import { createRecordMeter, type RecordMeter } from "./meters";

export type Metrics = { register: Registry; record: RecordMeter };

/** @returns the process's metrics. */
export const appMetrics = (): Metrics => shareInProcess("metrics", createAppMetrics);

const createAppMetrics = (): Metrics => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return { register, record: createRecordMeter(register) };
};

/** What is counted in the database, or known to its client, when it is asked for. */
const READ_METERS = {
  chats: {
    Type: Gauge,
    name: "parley_chats",
    help: "Chats that are not archived, by status.",
    labels: ["status"],
  },
  agents: {
    Type: Gauge,
    name: "parley_agents",
    help: "Chats of agents that are not archived, by status.",
    labels: ["status"],
  },
  tasks: {
    Type: Gauge,
    name: "parley_tasks",
    help: "Tasks that have not ended, by kind and state.",
    labels: ["kind", "state"],
  },
  openCalls: {
    Type: Gauge,
    name: "parley_open_calls",
    help: "Calls that wait for a client, of the tools with most of them; `other` for the rest.",
    labels: ["tool"],
  },
  oldestOpenCall: {
    Type: Gauge,
    name: "parley_oldest_open_call_seconds",
    help: "Age of the oldest call that waits for a client; 0 if none does.",
    labels: [],
  },
  runners: {
    Type: Gauge,
    name: "parley_runners",
    help: "Programs that are connected, by toolset; `other` for the toolsets after the first.",
    labels: ["toolset"],
  },
  databaseUp: {
    Type: Gauge,
    name: "parley_database_up",
    help: "0 while the database is away or read-only.",
    labels: [],
  },
  databaseOutages: {
    Type: Counter,
    name: "parley_database_outages_total",
    help: "Times that the database went away or read-only.",
    labels: [],
  },
} as const;

type Sample = { labels?: Record<string, string>; value: number };

/** Formats values of a meter in the text format of Prometheus. */
const format = (key: keyof typeof READ_METERS, samples: readonly Sample[]): Promise<string> => {
  const { Type, name, help, labels: labelNames } = READ_METERS[key];
  const register = new Registry();
  const meter = new Type<string>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [register],
  });
  for (const { labels = {}, value } of samples) meter.inc(labels, value);
  return register.metrics();
};

/** Formats counts of chats by status. */
export const formatChatGauge = (
  key: "chats" | "agents",
  counts: Partial<Record<ChatStatus, number>>,
): Promise<string> =>
  format(
    key,
    ChatStatus.options.map((status) => ({ labels: { status }, value: counts[status] ?? 0 })),
  );

/** Tasks of one kind that are in one state. */
export type TaskCount = { kind: TaskKind; state: OpenTaskState; count: number };

/** Formats the counts of tasks that have not ended. */
export const formatTaskGauge = (counts: readonly TaskCount[]): Promise<string> => {
  const zeros = TaskKind.options.flatMap((kind) =>
    OpenTaskState.options.map((state) => ({ kind, state, count: 0 })),
  );
  return format(
    "tasks",
    [...zeros, ...counts].map(({ count, ...labels }) => ({ labels, value: count })),
  );
};

/** Callers name their tools and toolsets, so that only so many names become values of a label. */
const MAX_NAMED = 20;

/** @returns the first as they are, and the sum of the rest as `other`. */
const nameFirst = (
  label: string,
  counts: readonly { name: string; count: number }[],
): readonly Sample[] => {
  const others = counts.slice(MAX_NAMED).reduce((sum, { count }) => sum + count, 0);
  return [
    ...counts
      .slice(0, MAX_NAMED)
      .map(({ name, count }) => ({ labels: { [label]: name }, value: count })),
    { labels: { [label]: "other" }, value: others },
  ];
};

/** Formats the programs that are connected. @param counts by toolset. */
export const formatRunners = (
  counts: readonly { toolset: string; count: number }[],
): Promise<string> =>
  format(
    "runners",
    nameFirst(
      "toolset",
      counts.map(({ toolset, count }) => ({ name: toolset, count })),
    ),
  );

/** Formats the calls that wait for a client. @param counts by tool, the most first. */
export const formatOpenCalls = async (
  counts: readonly { toolName: string; count: number; oldestSeconds: number }[],
): Promise<string> => {
  const oldest = Math.max(0, ...counts.map(({ oldestSeconds }) => oldestSeconds));
  const named = counts.map(({ toolName, count }) => ({ name: toolName, count }));
  return (
    (await format("openCalls", nameFirst("tool", named))) +
    (await format("oldestOpenCall", [{ value: oldest }]))
  );
};

/** Formats the state of the database. */
export const formatDatabaseMetrics = async ({
  isAvailable,
  outages,
}: {
  isAvailable: boolean;
  outages: number;
}): Promise<string> =>
  (await format("databaseUp", [{ value: isAvailable ? 1 : 0 }])) +
  (await format("databaseOutages", [{ value: outages }]));

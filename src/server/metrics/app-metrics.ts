import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { ChatStatus } from "@/contract/chat";
import { OpenTaskState, TaskKind } from "@/contract/task-state";
import { createTaskMeter, type TaskMeter } from "./task-meter";

export type Metrics = { register: Registry; tasks: TaskMeter };

let metrics: Metrics | undefined;

/** @returns the process's metrics. */
export const appMetrics = (): Metrics => (metrics ??= createAppMetrics());

const createAppMetrics = (): Metrics => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return { register, tasks: createTaskMeter(register) };
};

const CHAT_GAUGES = {
  parley_chats: "Chats that are not archived, by status.",
  parley_agents: "Chats of agents that are not archived, by status.",
};

/** Formats counts of chats by status as a gauge in the text format of Prometheus. */
export const formatChatGauge = async (
  name: keyof typeof CHAT_GAUGES,
  counts: Partial<Record<ChatStatus, number>>,
): Promise<string> => {
  const register = new Registry();
  const chats = new Gauge({
    name,
    help: CHAT_GAUGES[name],
    labelNames: ["status"],
    registers: [register],
  });
  for (const status of ChatStatus.options) chats.set({ status }, counts[status] ?? 0);
  return register.metrics();
};

/** Tasks of one kind that are in one state. */
export type TaskCount = { kind: TaskKind; state: OpenTaskState; count: number };

/** Formats the counts of tasks that have not ended as a gauge in the text format of Prometheus. */
export const formatTaskGauge = async (counts: readonly TaskCount[]): Promise<string> => {
  const register = new Registry();
  const tasks = new Gauge({
    name: "parley_tasks",
    help: "Tasks that have not ended, by kind and state.",
    labelNames: ["kind", "state"],
    registers: [register],
  });
  for (const kind of TaskKind.options) {
    for (const state of OpenTaskState.options) tasks.set({ kind, state }, 0);
  }
  for (const { kind, state, count } of counts) tasks.set({ kind, state }, count);
  return register.metrics();
};

/** Formats the state of the database in the text format of Prometheus. */
export const formatDatabaseMetrics = async ({
  isAvailable,
  outages,
}: {
  isAvailable: boolean;
  outages: number;
}): Promise<string> => {
  const registers = [new Registry()];
  const up = { name: "parley_database_up", help: "0 while the database is away or read-only." };
  new Gauge({ ...up, registers }).set(isAvailable ? 1 : 0);
  const total = {
    name: "parley_database_outages_total",
    help: "Times that the database went away or read-only.",
  };
  new Counter({ ...total, registers }).inc(outages);
  return (await Promise.all(registers.map((register) => register.metrics()))).join("");
};

import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { ChatStatus } from "@/contract/chat";
import { createTurnMeter, type TurnMeter } from "./turn-meter";

export type Metrics = { register: Registry; turns: TurnMeter };

const KEY = Symbol.for("parley.metrics");

/** @returns the process's metrics; on `globalThis`, as each route may be bundled apart. */
export const appMetrics = (): Metrics => {
  const holder = globalThis as { [KEY]?: Metrics };
  return (holder[KEY] ??= createAppMetrics());
};

const createAppMetrics = (): Metrics => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return { register, turns: createTurnMeter(register) };
};

/** Formats the counts of chats by status as a gauge in the text format of Prometheus. */
export const formatChatGauge = async (
  counts: Partial<Record<ChatStatus, number>>,
): Promise<string> => {
  const register = new Registry();
  const chats = new Gauge({
    name: "parley_chats",
    help: "Chats that are not archived, by status.",
    labelNames: ["status"],
    registers: [register],
  });
  for (const status of ChatStatus.options) chats.set({ status }, counts[status] ?? 0);
  return register.metrics();
};

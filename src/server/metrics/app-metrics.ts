import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
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

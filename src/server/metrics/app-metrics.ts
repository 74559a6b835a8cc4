import { collectDefaultMetrics, Registry } from "prom-client";
import { createTurnMeter, type TurnMeter } from "./turn-meter";

export type Metrics = { register: Registry; turns: TurnMeter };

const KEY = Symbol.for("parley.metrics");

/** The process's own. Kept on `globalThis`, as each route may be bundled apart. */
export const appMetrics = (): Metrics => {
  const holder = globalThis as { [KEY]?: Metrics };
  return (holder[KEY] ??= createAppMetrics());
};

const createAppMetrics = (): Metrics => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return { register, turns: createTurnMeter(register) };
};

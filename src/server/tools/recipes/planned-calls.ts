import { LRUCache } from "lru-cache";
import type { CallIdentity } from "@/server/tools/tool";
import type { CallPlan } from "./plan-call";

/** Calls that wait for an approval keep their plan; far more than people decide on at a time. */
const MAX_PLANS = 1_000;

const KEY = Symbol.for("parley.planned-calls");

/** On `globalThis`, as routes and instrumentation are bundled apart. */
const plans = (): LRUCache<string, CallPlan> => {
  const holder = globalThis as { [KEY]?: LRUCache<string, CallPlan> };
  return (holder[KEY] ??= new LRUCache<string, CallPlan>({ max: MAX_PLANS }));
};

const toKey = ({ chatId, toolCallId }: CallIdentity): string => `${chatId} ${toolCallId}`;

/** Keeps the plan of a call that may wait, so that `setup` and `env` run once unless the process ends. */
export const keepPlan = (call: CallIdentity, plan: CallPlan): void => {
  plans().set(toKey(call), plan);
};

/** @returns the plan of a call that waited in this process, unless its recipe has changed since. */
export const findPlan = (call: CallIdentity, loaded: CallPlan["loaded"]): CallPlan | undefined => {
  const plan = plans().get(toKey(call));
  return plan?.loaded === loaded ? plan : undefined;
};

/** Finds a plan, and keeps it no longer. */
export const takePlan = (call: CallIdentity, loaded: CallPlan["loaded"]): CallPlan | undefined => {
  const plan = findPlan(call, loaded);
  plans().delete(toKey(call));
  return plan;
};

import { LRUCache } from "lru-cache";
import type { CallIdentity } from "@/server/tools/tool";
import type { LoadedRecipe } from "./loaded-recipe";
import type { CallPlan } from "./plan-call";

/** Calls keep their plan until they have ended; far more than people decide on at a time. */
const MAX_PLANS = 1_000;

type Kept = {
  plans: LRUCache<string, CallPlan>;
  /** By their names; one whose file is gone stays, for the calls that it has. */
  recipes: Map<string, LoadedRecipe>;
};

const KEY = Symbol.for("parley.planned-calls");

/** On `globalThis`, as routes and instrumentation are bundled apart. */
const kept = (): Kept => {
  const holder = globalThis as { [KEY]?: Kept };
  return (holder[KEY] ??= { plans: new LRUCache({ max: MAX_PLANS }), recipes: new Map() });
};

const toKey = ({ chatId, toolCallId }: CallIdentity): string => `${chatId} ${toolCallId}`;

/** Keeps the plan of a call, so that `setup` and `env` run once unless the process ends. */
export const keepPlan = (call: CallIdentity, plan: CallPlan): void => {
  kept().plans.set(toKey(call), plan);
};

/** @returns the plan of a call that waited in this process, unless its recipe has changed since. */
export const findPlan = (call: CallIdentity, loaded: LoadedRecipe): CallPlan | undefined => {
  const plan = kept().plans.get(toKey(call));
  return plan?.loaded === loaded ? plan : undefined;
};

/** Finds the plan of a call, whatever its recipe is now, and keeps it no longer. */
export const takePlan = (call: CallIdentity): CallPlan | undefined => {
  const plan = kept().plans.get(toKey(call));
  kept().plans.delete(toKey(call));
  return plan;
};

/** Keeps a recipe as the last one of its name. */
export const keepRecipe = (loaded: LoadedRecipe): void => {
  kept().recipes.set(loaded.name, loaded);
};

export const findRecipe = (name: string): LoadedRecipe | undefined => kept().recipes.get(name);

import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import type { JsonValue } from "@/contract/json";
import type { CallIdentity } from "@/server/tools/tool";
import type { LoadedRecipe } from "./loaded-recipe";
import type { CallPlan } from "./plan-call";

/** Calls keep their plan until they have ended; far more than people decide on at a time. */
const MAX_PLANS = 1_000;

/** A person may change the arguments of a call that waits, which is then planned anew. */
type PlannedCall = CallIdentity & Readonly<{ args: JsonValue }>;

const plans = new LRUCache<string, { args: JsonValue; plan: CallPlan }>({ max: MAX_PLANS });
/** By their names; one whose file is gone stays, for the calls that it has. */
const recipes = new Map<string, LoadedRecipe>();

const toKey = ({ chatId, toolCallId }: CallIdentity): string => `${chatId} ${toolCallId}`;

/** Keeps the plan of a call, so that `setup` and `env` run once unless the process ends. */
export const keepPlan = ({ args, ...call }: PlannedCall, plan: CallPlan): void => {
  plans.set(toKey(call), { args, plan });
};

/** @returns the plan of a call that waited in this process, unless its recipe has changed since. */
export const findPlan = (call: PlannedCall, loaded: LoadedRecipe): CallPlan | undefined => {
  const plan = findAnyPlan(call);
  return plan?.loaded === loaded ? plan : undefined;
};

const findAnyPlan = ({ args, ...call }: PlannedCall): CallPlan | undefined => {
  const planned = plans.get(toKey(call));
  return planned && isDeepStrictEqual(planned.args, args) ? planned.plan : undefined;
};

/** Finds the plan of a call, whatever its recipe is now, and keeps it no longer. */
export const takePlan = (call: PlannedCall): CallPlan | undefined => {
  const plan = findAnyPlan(call);
  plans.delete(toKey(call));
  return plan;
};

/** Keeps a recipe as the last one of its name. */
export const keepRecipe = (loaded: LoadedRecipe): void => {
  recipes.set(loaded.name, loaded);
};

export const findRecipe = (name: string): LoadedRecipe | undefined => recipes.get(name);

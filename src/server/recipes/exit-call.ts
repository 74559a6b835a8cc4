import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import { log } from "@/server/log";
import type { CallIdentity } from "@/server/tools/tool";
import { type LoadedRecipe, toRunnable } from "./loaded-recipe";
import { findRecipe, takePlan } from "./planned-calls";
import { settleReport } from "./settle-with-signal";

/** A call of a recipe whose end is committed. */
export type EndedCall = CallIdentity & Readonly<{ toolName: string; args: JsonValue }>;

/**
 * Runs what a recipe has for the end of a call: the recipe by which the call was planned, or the last one of its name
 * that this process has loaded. Does not reject.
 */
export const exitCall = async ({ toolName, ...call }: EndedCall): Promise<void> => {
  const plan = takePlan(call);
  if (plan) return exitRecipe(plan.loaded, plan.request);
  const loaded = findRecipe(toolName);
  if (loaded) await exitRecipe(loaded, parseAgain(loaded, call.args));
};

/** For a call that was planned in another process. */
const parseAgain = (loaded: LoadedRecipe, args: JsonValue): unknown => {
  const parsed = isJsonObject(args) ? loaded.parse(args) : [];
  return Array.isArray(parsed) ? args : parsed.request;
};

/** Runs the handler of a call's end, whose failure changes nothing any more. */
export const exitRecipe = async (loaded: LoadedRecipe, request: unknown): Promise<void> => {
  try {
    await settleReport(() => toRunnable(loaded).handlers?.onExit?.(request));
  } catch (error) {
    log().error({ err: error, recipe: loaded.name }, "onExit of a recipe failed");
  }
};

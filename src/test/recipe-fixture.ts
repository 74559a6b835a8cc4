import { v7 as uuidv7 } from "uuid";
import type { JsonValue } from "@/contract/json";
import type { Recipe } from "@/recipes/recipe";
import type { Sandbox } from "@/server/exec/sandbox/sandbox";
import { prepareCalls, requirePrepared } from "@/server/tools/prepare-call";
import { exitCall } from "@/server/recipes/exit-call";
import { loadRecipe } from "@/server/recipes/load-recipe";
import type { LoadedRecipe } from "@/server/recipes/loaded-recipe";
import { createRecipeTool } from "@/server/recipes/recipe-tool";
import type { RecipeDeps } from "@/server/recipes/run-recipe";
import { runTool } from "@/server/tools/run-tool";
import type { ToolOutcome } from "@/server/tools/settle";
import { createBuiltinSource } from "@/server/tools/tool-source";
import { createToolbox } from "@/server/tools/toolbox";
import { LARGE_BUDGET } from "./test-budget";
import {
  NO_COMMANDS_FOR_RECIPES,
  prepareDeps,
  recordedDeps,
  type RecordedDeps,
  toolScope,
} from "./tool-fixture";

/** Loads what a file could export. @throws {Error} when something is wrong with it. */
export const requireRecipe = async (exported: unknown): Promise<LoadedRecipe> => {
  const loaded = await loadRecipe(exported);
  if (Array.isArray(loaded)) throw new Error(JSON.stringify(loaded));
  return loaded;
};

type Fields<Request> = Partial<Recipe<Request>>;

/** A recipe without parameters whose steps are given. */
export const recipe = <Request = Record<string, unknown>>(
  fields: Fields<Request>,
): Recipe<Request> => ({
  name: "test_recipe",
  description: "A recipe of a test",
  parameters: { type: "object", properties: {} },
  example: {},
  steps: [["true"]],
  ...fields,
});

type CallOptions = {
  args?: JsonValue;
  recorded?: RecordedDeps;
  approved?: boolean;
  approvalScope?: JsonValue;
};

/** Runs calls of a recipe as a turn does, in a sandbox and without a database. */
export const createRecipeCaller = (sandbox: Sandbox, changes: Partial<RecipeDeps> = {}) => {
  const deps: RecipeDeps = {
    sandbox,
    budget: LARGE_BUDGET,
    fetchPage: () => Promise.reject(new Error("no network here")),
    openProxy: () => Promise.reject(new Error("no network here")),
    openWorkspace: undefined,
    openShare: NO_COMMANDS_FOR_RECIPES.openShare,
    ...changes,
  };
  const prepare = async (
    loaded: LoadedRecipe,
    { args = {}, recorded = recordedDeps(), approved = false, ...rest }: CallOptions = {},
    toolCallId = uuidv7(),
  ) => {
    const tool = createRecipeTool(loaded, deps);
    const toolbox = await createToolbox([createBuiltinSource([tool])], toolScope());
    const request = { toolCallId, toolName: loaded.name, args, approved, ...rest };
    const prepared = await prepareCalls([request], prepareDeps(recorded.deps, toolbox));
    return { tool, toolCallId, call: requirePrepared(prepared, toolCallId), recorded };
  };
  /** As when the end of a call is committed. */
  const exit = (
    { toolCallId, recorded }: { toolCallId: string; recorded: RecordedDeps },
    { name }: LoadedRecipe,
    { args = {} }: CallOptions = {},
  ): Promise<void> =>
    exitCall({ chatId: recorded.deps.step.chatId, toolCallId, toolName: name, args });
  const runLoaded = async (
    loaded: LoadedRecipe,
    options: CallOptions = {},
  ): Promise<ToolOutcome> => {
    const { toolCallId, call, recorded } = await prepare(loaded, options);
    const outcome = await runTool(toolCallId, call, recorded.deps);
    await exit({ toolCallId, recorded }, loaded, options);
    return outcome;
  };
  return {
    prepare,
    exit,
    runLoaded,
    run: async (exported: unknown, options: CallOptions = {}): Promise<ToolOutcome> =>
      runLoaded(await requireRecipe(exported), options),
  };
};

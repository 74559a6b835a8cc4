import type { JSONSchema7 } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { CallContext } from "@/recipes/recipe";
import { log } from "@/server/log";
import type { RejectedCall, Tool } from "@/server/tools/tool";
import type { ToolContext } from "@/server/tools/tool-context";
import { createInliningBudget, toToolParameters } from "@/server/tools/tool-parameters";
import { type LoadedRecipe, toRunnable } from "./loaded-recipe";
import { type CallPlan, planCall } from "./plan-call";
import { findPlan, keepPlan, keepRecipe } from "./planned-calls";
import { renderPrompt } from "./render-output";
import { type RecipeDeps, runRecipe } from "./run-recipe";
import { settleReport } from "./settle-with-signal";

/** Offers a recipe as a tool. */
export const createRecipeTool = (loaded: LoadedRecipe, deps: RecipeDeps): Tool => {
  const { recipe, name, description, parameters, example, argumentsSchema, systemPrompt } = loaded;
  keepRecipe(loaded);
  const hasCommands = recipe.steps.some((step) => typeof step !== "function");
  const { sandbox } = deps;
  return {
    kind: "recipe",
    name,
    description,
    // An administrator's or author's schema is as free as that of a client.
    parameters: toToolParameters(parameters as JsonObject, createInliningBudget())
      .parameters as JSONSchema7,
    example,
    argumentsSchema,
    takesExactNumbers: loaded.takesExactNumbers,
    systemPrompt,
    exclusive: false,
    stopsTurn: false,
    rootOnly: false,
    autoSubmit: recipe.opts?.autoSubmit,
    // Also without commands, as functions can run some.
    asksEachTime: isUnprotected(deps),
    unavailable: hasCommands && "unavailable" in sandbox ? sandbox.unavailable : undefined,
    notice: () => undefined,
    bind: (args, call) => {
      const parsed = loaded.parse(args as JsonObject);
      if (Array.isArray(parsed)) return parsed;
      const toPlan = { ...call, args: args as JsonObject };
      let planning: Promise<CallPlan> | undefined;
      const plan = async (): Promise<CallPlan> =>
        (planning ??= Promise.resolve(
          findPlan(toPlan, loaded) ?? planCall(loaded, parsed.request),
        ));
      return {
        needsApproval: async () => isApprovalNeeded(await plan(), deps),
        approvalScope: async () => {
          const planned = await plan();
          keepPlan(toPlan, planned);
          return toApprovalScope(planned, args as JsonObject);
        },
        run: async (context) => {
          const planned = await plan();
          keepPlan(toPlan, planned);
          return runRecipe(planned, { ...context, call: toCallContext(context) }, deps);
        },
      };
    },
    renderRejection: (call) => renderRejection(loaded, call),
  };
};

const toCallContext = (context: ToolContext): CallContext => {
  const { chatId, rootChatId, userId, agentLevel, labels, channel } = context;
  const { turnId, messageId, replyToMessageId, toolCallId } = context;
  const chat = { chatId, rootChatId, userId, agentLevel, labels, channel };
  return Object.freeze({ ...chat, turnId, messageId, replyToMessageId, toolCallId });
};

const isUnprotected = ({ sandbox }: RecipeDeps): boolean =>
  "kind" in sandbox && sandbox.kind === "none";

/** Without a sandbox, a person decides on every call that has commands. */
const isApprovalNeeded = async (plan: CallPlan, deps: RecipeDeps): Promise<boolean> => {
  // There is nothing to approve in a call that fails before its first step.
  if (plan.failure !== undefined) return false;
  if (isUnprotected(deps) && plan.commands.length > 0) return true;
  const { needsApproval = false } = toRunnable(plan.loaded).opts ?? {};
  return typeof needsApproval === "function"
    ? needsApproval(plan.request, plan.commands)
    : needsApproval;
};

/**
 * The commands, as they will run. Functions may do anything with the arguments, such as writing a file that a
 * command runs, so a recipe with functions is approved for the same arguments only.
 */
const toApprovalScope = ({ steps, commands, loaded }: CallPlan, args: JsonObject): JsonValue => {
  const hasFunctions =
    loaded.recipe.preCmd !== undefined || steps.some((step) => typeof step === "function");
  const argv = commands.map((command) => [...command]);
  return hasFunctions ? { commands: argv, arguments: args } : { commands: argv };
};

const renderRejection = async (loaded: LoadedRecipe, call: RejectedCall): Promise<string> => {
  const prompt = loaded.recipe.output?.rejected;
  if (prompt === undefined) return "";
  const plan = findPlan(call, loaded) ?? { values: {} };
  try {
    return await settleReport(() => renderPrompt(plan, prompt, call.reason));
  } catch (error) {
    log().error({ err: error, recipe: loaded.name }, "output.rejected of a recipe failed");
    return "";
  }
};

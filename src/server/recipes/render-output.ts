import type { OutputPrompt } from "@/recipes/recipe";
import { type ToolResult, toolResult } from "@/server/tools/tool-result";
import { fillTemplate } from "./fill-template";
import { type CallPlan, toTemplateValues } from "./plan-call";
import type { StepsResult } from "./run-steps";
import { stripTerminalCodes } from "@/server/exec/strip-terminal-codes";

/** Creates what the model reads and what the person sees of the steps. Rejects if a function of the recipe throws. */
export const renderOutput = async (
  plan: CallPlan,
  { status, output, successes }: StepsResult,
): Promise<ToolResult<string>> => {
  const { outputPrompt, outputErrorPrompt, output: texts } = plan.loaded.recipe;
  const isError = status === "error";
  const plain = stripTerminalCodes(output);
  const forLlm = isError
    ? await renderPrompt(plan, texts?.error ?? outputErrorPrompt, plain)
    : texts?.success === undefined
      ? await renderPrompt(plan, outputPrompt, plain)
      : await renderEach(plan, texts.success, successes);
  return { ...toolResult(forLlm), isError, ...(output !== forLlm && { forUser: output }) };
};

const renderEach = async (
  plan: CallPlan,
  prompt: OutputPrompt,
  outputs: readonly string[],
): Promise<string> => {
  const texts: string[] = [];
  for (const output of outputs) {
    texts.push(await renderPrompt(plan, prompt, stripTerminalCodes(output)));
  }
  return texts.join("\n\n");
};

/** The places of a call are gone when its output is read. */
const NO_PLACES = { workspace: "", temp_dir: "", temp_file: "" };

export const renderPrompt = async (
  plan: Pick<CallPlan, "values">,
  prompt: OutputPrompt | undefined,
  output: string,
): Promise<string> => {
  if (prompt === undefined) return output;
  if (typeof prompt === "function") return prompt(output);
  const values = toTemplateValues(plan.values, NO_PLACES);
  return fillTemplate(prompt, new Map([...values, ["output", output]]));
};

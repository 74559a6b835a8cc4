import type { LanguageModelV4FunctionTool, LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import { PROVIDER_TOOLS } from "@/contract/providers";
import type { ProviderToolName } from "@/contract/provider-tool";
import { ALL_PROVIDERS } from "@/server/model/catalog/providers/all-providers";
import { limitTools } from "@/server/model/limit-tools";
import type { ChatModel } from "@/server/model/model-step";
import type { Toolbox } from "@/server/tools/toolbox";

export type StepTools = {
  tools: LanguageModelV4FunctionTool[];
  /** Those that the provider runs. */
  providerTools: readonly LanguageModelV4ProviderTool[];
  /** Why some of these are left out, as sentences for people. */
  warnings: readonly string[];
  /** A sentence for the log, if tools of this server are left out. */
  limitWarning: string | undefined;
};

type Offered = Pick<Toolbox, "definitions" | "offered">;
type ChosenTool = { name: ProviderToolName; tool: LanguageModelV4ProviderTool };

/**
 * Chooses the tools of a model call: those of this server, as many as the provider takes, and its own.
 *
 * @param names of the provider's tools that are on; undefined for all that the model has.
 */
export const chooseStepTools = (
  model: ChatModel,
  toolbox: Offered,
  names: readonly ProviderToolName[] | undefined,
): StepTools => {
  const { offered, definitions } = toolbox;
  const { provider, toolProtocol } = model;
  const listed = listChosen(model, names).filter(({ name }) => !isTaken(offered, name));
  // One search is enough, and providers refuse two tools of one name.
  const others = listed.some(({ name }) => offered.has(name))
    ? definitions.filter((tool) => !listed.some(({ name }) => name === tool.name))
    : definitions;
  const isConflict = listed.length > 0 && others.length > 0 && !canMixTools(model);
  const chosen = isConflict ? NONE : listed;
  const { tools, warning: limitWarning } = limitTools(isConflict ? definitions : others, {
    provider,
    toolProtocol,
    reserved: chosen.length,
    isMcp: (name) => offered.get(name)?.kind === "mcp",
  });
  return {
    tools,
    providerTools: chosen.length > 0 ? chosen.map(({ tool }) => tool) : NONE,
    warnings: isConflict ? [describeConflict(model, listed)] : NONE,
    limitWarning,
  };
};

const NONE: readonly never[] = [];

/** A model that is taught tools in its prompt has no others. */
const listChosen = (
  { providerTools, toolProtocol }: ChatModel,
  names: readonly ProviderToolName[] | undefined,
): ChosenTool[] => {
  if (!providerTools || toolProtocol === "xml") return [];
  return [...providerTools]
    .map(([name, tool]) => ({ name, tool }))
    .filter(({ name }) => names?.includes(name) !== false);
};

/** The provider's tool replaces a built-in one of the same name, but not a tool of the chat or of MCP. */
const isTaken = (offered: Toolbox["offered"], name: string): boolean => {
  const tool = offered.get(name);
  return tool !== undefined && tool.kind !== "builtin";
};

const canMixTools = ({ provider, model }: ChatModel): boolean =>
  ALL_PROVIDERS[provider].mixesTools?.(model) ?? true;

const describeConflict = ({ label }: ChatModel, chosen: readonly ChosenTool[]): string => {
  const names = chosen.map(({ name }) => PROVIDER_TOOLS[name].toLowerCase()).join(", ");
  return `${label} takes either the tools of this server or those of its provider: the provider's are not offered (${names}).`;
};

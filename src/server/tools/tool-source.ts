import { isDeepStrictEqual } from "node:util";
import type { ToolKind } from "@/contract/part";
import { CALLER_TOOLS } from "@/contract/tool";
import { createDynamicToolCache, type OfferedDynamicTool } from "./dynamic-tools";
import { PROVIDER_TOOL_NAMES } from "./provider-names";
import type { Tool } from "./tool";
import type { OfferScope, ToolScope } from "./tool-context";

export type OfferedTool = Tool | OfferedDynamicTool;

/** Where tools come from. Of two sources with the same name, the earlier one in the list owns it. */
export type ToolSource = {
  kind: ToolKind;
  /**
   * Names that belong to the source even while it offers no such tool, so that a setting cannot turn
   * a name into another tool in the middle of a chat.
   */
  reservedNames: readonly string[];
  /** In the order in which the model gets them, those that are not offered too. Does not reject. */
  listTools: (scope: ToolScope) => readonly OfferedTool[] | Promise<readonly OfferedTool[]>;
};

const listNothing: ToolSource["listTools"] = () => NO_TOOLS;

/** The sources of every chat, in the order in which they own names. */
export const createToolSources = (
  builtinTools: readonly Tool[],
  {
    recipe = listNothing,
    mcp = listNothing,
    toolset = listNothing,
  }: Partial<Record<"recipe" | "mcp" | "toolset", ToolSource["listTools"]>> = {},
): ToolSource[] => [
  createBuiltinSource(builtinTools),
  providerSource,
  { kind: "recipe", reservedNames: [], listTools: recipe },
  { kind: "mcp", reservedNames: [], listTools: mcp },
  { kind: "toolset", reservedNames: [], listTools: toolset },
  createDynamicSource(),
];

/** Offers tools sorted by name: a stable order keeps the provider's prompt cache warm. */
export const createBuiltinSource = (tools: readonly Tool[]): ToolSource => {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    kind: "builtin",
    reservedNames: sorted.map(({ name }) => name),
    listTools: createDescriber(sorted),
  };
};

/** Lists tools with the descriptions that settings give them; the same list while these stay the same. */
const createDescriber = (tools: readonly Tool[]): ToolSource["listTools"] => {
  if (!tools.some(({ describe }) => describe)) return () => tools;
  let known: { texts: readonly (string | undefined)[]; tools: readonly Tool[] } | undefined;
  return async () => {
    const texts = await Promise.all(tools.map(async ({ describe }) => describe?.()));
    if (!known || !isDeepStrictEqual(known.texts, texts)) {
      known = { texts, tools: tools.map((tool, index) => withMore(tool, texts[index])) };
    }
    return known.tools;
  };
};

const withMore = (tool: Tool, more: string | undefined): Tool =>
  more === undefined ? tool : { ...tool, description: `${tool.description} ${more}` };

/** Why a tool is not offered, as a sentence; undefined when it is. */
export const findWithheldReason = (tool: OfferedTool, scope: OfferScope): string | undefined => {
  if (tool.kind === "dynamic") {
    // Those of a group are an administrator's.
    return tool.isOfCaller && scope.toolModes[CALLER_TOOLS] === "off"
      ? "An administrator has turned off the tools that programs declare."
      : undefined;
  }
  if (scope.toolModes[tool.name] === "off") return "An administrator has turned this tool off.";
  if (!isChosen(tool, scope)) {
    return scope.toolNames
      ? "It is not one of the tools that this chat has chosen."
      : "Only chats that have chosen it are offered it.";
  }
  if (tool.rootOnly && !scope.isRoot) return "Child chats cannot use it.";
  if (tool.unavailable !== undefined) return tool.unavailable;
  if (tool.needsAdvisor && !scope.hasAdvisor) {
    return "The advisor is off: an administrator can turn it on in its settings.";
  }
  return undefined;
};

const isChosen = ({ name, isForChosen = false }: Tool, { toolNames }: OfferScope): boolean =>
  toolNames?.has(name) ?? !isForChosen;

/** One list, by which it is known that nothing has changed. */
const NO_TOOLS: readonly Tool[] = [];

const providerSource: ToolSource = {
  kind: "provider",
  reservedNames: PROVIDER_TOOL_NAMES,
  listTools: () => NO_TOOLS,
};

/** Offers the tools that the client declared with the chat, in declared order. */
export const createDynamicSource = (): ToolSource => ({
  kind: "dynamic",
  reservedNames: [],
  listTools: createDynamicToolCache(),
});

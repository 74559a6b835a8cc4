import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { DynamicTool } from "@/contract/dynamic-tool";
import { dynamicToolDefinition } from "./dynamic-tools";
import type { Tool } from "./tool";
import type { ToolLog } from "./tool-context";

/** Names under which providers offer tools of their own; a call of one would be theirs. */
const PROVIDER_TOOL_NAMES = [
  "code_execution",
  "code_interpreter",
  "computer",
  "computer_use_preview",
  "google_search",
  "web_search",
  "web_search_preview",
];

export type FoundTool = { kind: Tool["kind"]; tool: Tool } | { kind: "dynamic"; tool: DynamicTool };

/** The tools that one chat offers. */
export type Toolbox = {
  /** In a stable order, which keeps the provider's prompt cache warm. */
  definitions: LanguageModelV4FunctionTool[];
  /** A sentence for each dynamic tool that was left out. */
  warnings: string[];
  find: (name: string) => FoundTool | undefined;
  /** Names of the offered tools that must be the only call of their batch. */
  exclusive: ReadonlySet<string>;
};

type ToolboxParts = {
  /** Names that belong to built-in tools even where those are not offered. */
  reserved?: readonly string[];
  /** In declared order; the built-in ones come first, sorted by name. */
  tools: readonly Tool[];
  isRoot: boolean;
  dynamicTools: readonly DynamicTool[];
  log: Pick<ToolLog, "warn">;
};

/** Puts together what a chat offers; a dynamic tool whose name is taken is left out. */
export const createToolbox = (parts: ToolboxParts): Toolbox => {
  const { tools, reserved = [], isRoot, dynamicTools, log } = parts;
  const offered = inOrder(tools.filter(({ rootOnly }) => isRoot || !rootOnly));
  const collided = collisions(offered, dynamicTools, reserved);
  const dynamic = dynamicTools.filter((tool) => !collided.has(tool));
  for (const { name } of collided.keys()) {
    log.warn({ tool: name }, "dynamic tool left out: its name is taken");
  }
  const found = new Map<string, FoundTool>([
    ...offered.map((tool) => [tool.name, { kind: tool.kind, tool }] as const),
    ...dynamic.map((tool) => [tool.name, { kind: "dynamic", tool }] as const),
  ]);
  return {
    definitions: [
      ...offered.map(toolDefinition),
      ...dynamic.map((tool) => dynamicToolDefinition(tool, log)),
    ],
    warnings: [...collided.values()],
    find: (name) => found.get(name),
    exclusive: new Set(offered.filter(({ exclusive }) => exclusive).map(({ name }) => name)),
  };
};

/** @returns the dynamic tools whose name another offered tool has, each with a sentence about it. */
const collisions = (
  offered: readonly Tool[],
  dynamicTools: readonly DynamicTool[],
  reserved: readonly string[],
): Map<DynamicTool, string> => {
  const owners = new Map<string, string>([
    ...PROVIDER_TOOL_NAMES.map((name) => [name, "the model provider's own tools"] as const),
    ...reserved.map((name) => [name, OWNERS.builtin] as const),
    ...offered.map(({ kind, name }) => [name, OWNERS[kind]] as const),
  ]);
  const collided = new Map<DynamicTool, string>();
  for (const tool of dynamicTools) {
    const owner = owners.get(tool.name);
    if (owner === undefined) owners.set(tool.name, "a dynamic tool before it");
    else
      collided.set(tool, `The tool "${tool.name}" is not offered: the name belongs to ${owner}.`);
  }
  return collided;
};

const OWNERS = {
  builtin: "a built-in tool",
  recipe: "a recipe tool",
  mcp: "a tool of an MCP server",
} as const satisfies Record<Tool["kind"], string>;

const inOrder = (tools: readonly Tool[]): Tool[] => [
  ...tools.filter(({ kind }) => kind === "builtin").sort((a, b) => (a.name < b.name ? -1 : 1)),
  ...tools.filter(({ kind }) => kind === "recipe"),
  ...tools.filter(({ kind }) => kind === "mcp"),
];

const toolDefinition = ({ name, description, parameters }: Tool): LanguageModelV4FunctionTool => ({
  type: "function",
  name,
  description,
  inputSchema: parameters,
});

import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { AutoSubmit } from "@/contract/chat";
import type { ToolKind } from "@/contract/part";
import type { ToolScope } from "./tool-context";
import { findWithheldReason, type OfferedTool, type ToolSource } from "./tool-source";

/** The tools that one turn offers. */
export type Toolbox = {
  /** In a stable order, which keeps the provider's prompt cache warm. */
  definitions: LanguageModelV4FunctionTool[];
  /** A sentence for each tool, or part of its schema, that was left out. */
  warnings: string[];
  find: (name: string) => OfferedTool | undefined;
  /** By the names of tools that are not offered: why, as a sentence. */
  withheld: ReadonlyMap<string, string>;
  /** Names of the offered tools that must be the only call of their batch. */
  exclusive: ReadonlySet<string>;
  /** Names of the offered tools whose every call needs an approval, as administrators have set it. */
  asksFirst: ReadonlySet<string>;
  /** Names of the offered tools whose success ends the turn. */
  stopsTurn: ReadonlySet<string>;
  /** What tools say on whether a turn goes on by itself after their calls, by name; also those that are not offered any more. */
  autoSubmit: ReadonlyMap<string, Partial<AutoSubmit>>;
  /** What the prompt says of offered tools, in their order. */
  systemPrompts: string[];
};

/** Joins what the sources offer; a tool whose name is taken is left out. */
export const createToolbox = async (
  sources: readonly ToolSource[],
  scope: ToolScope,
): Promise<Toolbox> => {
  const lists = await Promise.all(
    sources.map(async (source) => ({ source, tools: await source.listTools(scope) })),
  );
  const owners = new Map<string, ToolSource>();
  const offered = new Map<string, OfferedTool>();
  const withheld = new Map<string, string>();
  const warnings: string[] = [];
  const autoSubmit = new Map<string, Partial<AutoSubmit>>();
  for (const { source, tools } of lists) {
    for (const name of source.reservedNames) setOwner(owners, name, source);
    for (const tool of tools) {
      const reason = tool.kind === "dynamic" ? undefined : findWithheldReason(tool, scope);
      // A tool that is off keeps its name, so that no other one answers to it in the middle of a chat.
      const owner = setOwner(owners, tool.name, source);
      if (owner === source && tool.kind !== "dynamic" && tool.autoSubmit) {
        autoSubmit.set(tool.name, tool.autoSubmit);
      }
      if (reason !== undefined && owner === source) {
        withheld.set(tool.name, reason);
        continue;
      }
      if (owner === source && !offered.has(tool.name)) offered.set(tool.name, tool);
      else {
        warnings.push(collisionWarning(tool.name, owner.kind));
        scope.log.warn({ tool: tool.name, kind: tool.kind }, "tool left out: its name is taken");
      }
    }
  }
  const tools = [...offered.values()];
  warnings.push(...tools.flatMap((tool) => (tool.kind === "dynamic" ? tool.warnings : [])));
  const executed = tools.filter((tool) => tool.kind !== "dynamic");
  return {
    definitions: tools.map(toolDefinition),
    warnings,
    find: (name) => offered.get(name),
    withheld,
    asksFirst: new Set(
      executed.map(({ name }) => name).filter((name) => scope.toolModes[name] === "ask"),
    ),
    exclusive: new Set(executed.filter(({ exclusive }) => exclusive).map(({ name }) => name)),
    stopsTurn: new Set(executed.filter(({ stopsTurn }) => stopsTurn).map(({ name }) => name)),
    autoSubmit,
    systemPrompts: executed.flatMap(({ systemPrompt }) => systemPrompt ?? []),
  };
};

/** @returns the source that owns the name, which is the first that claimed it. */
const setOwner = (
  owners: Map<string, ToolSource>,
  name: string,
  source: ToolSource,
): ToolSource => {
  const owner = owners.get(name) ?? source;
  owners.set(name, owner);
  return owner;
};

const OWNER = {
  builtin: "a built-in tool",
  recipe: "a recipe tool",
  mcp: "a tool of an MCP server",
  provider: "the model provider's own tools",
  dynamic: "a dynamic tool before it",
} as const satisfies Record<ToolKind, string>;

const collisionWarning = (name: string, owner: ToolKind): string =>
  `The tool "${name}" is not offered: the name belongs to ${OWNER[owner]}.`;

const toolDefinition = ({
  name,
  description,
  parameters,
}: OfferedTool): LanguageModelV4FunctionTool => ({
  type: "function",
  name,
  ...(description !== undefined && { description }),
  inputSchema: parameters,
});
